import assert from 'node:assert/strict';
import { html, raw } from '../../../src/formats/html/markup.js';

describe('html/markup', () => {
  it('escapes what is filled in, in text and in attributes', () => {
    const text = `<b a="1" c='2'>&amp;`;
    assert.equal(
      String(html`<p title="${text}">${text}</p>`),
      '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;">&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;</p>',
    );
  });
  it('leaves markup as it is, in lists too', () => {
    const items = ['<1>', '2'].map((each) => html`<li>${each}</li>`);
    assert.equal(String(html`<ul>${items}</ul>${raw('<hr>')}`), '<ul><li>&lt;1&gt;</li><li>2</li></ul><hr>');
  });
  it('takes nothing for nothing, and 0 for 0', () => {
    assert.equal(String(html`[${null}${undefined}${false}${''}${[]}${0}]`), '[0]');
  });
  it('takes no other object for markup', () => {
    const value = { markup: '<x>', toString: () => '<y>' };
    assert.equal(String(html`${value}`), '&lt;y&gt;');
  });
  it('shows the number of what turns the direction of text', () => {
    assert.equal(String(html`${'a\u202eb\u2067c'}`), 'a\\u202eb\\u2067c');
  });
  it('shows the number of a control character, and keeps line breaks', () => {
    assert.equal(String(html`${'a\u0000b\u001b[31mc\nd\r\u0085'}`), 'a\\x00b\\x1b[31mc\nd\\r\\x85');
  });
});
