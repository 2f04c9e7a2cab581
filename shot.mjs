import { chromium } from 'playwright-core';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const n of ['two', 'io']) { const p = await b.newPage({ viewport: { width: 1100, height: 900 } }); await p.goto(`file:///tmp/msg/${n}.html`); await p.screenshot({ path: `/tmp/msg/${n}.png`, fullPage: true }); }
await b.close();
