import assert from 'node:assert/strict';
import { checkEveryPair } from './check-pairs.js';
import { ROWS } from './format-rows.js';
import { fixedAxes, TWO_VALUES } from './pairs.js';

describe('reports of two values of every two axes, whose choices differ, in every format', function () {
  this.timeout(600_000);

  it('are made of every axis', () => {
    assert.deepEqual(
      fixedAxes().filter((id) => !(id in TWO_VALUES)),
      [],
    );
  });

  // A page takes as long as all else. Its tables are those of Markdown, so each axis is on eight pages or more.
  const formats = Object.keys(ROWS);
  const withoutPage = formats.filter((format) => format !== 'html');
  checkEveryPair(
    () => ['choices'],
    (index) => (index % 4 === 0 ? formats : withoutPage),
  );
});
