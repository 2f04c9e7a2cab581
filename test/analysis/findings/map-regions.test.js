import assert from 'node:assert/strict';
import fc from 'fast-check';
import { regionsOf } from '../../../src/analysis/findings/map-regions.js';

/** In, out, either, and in only if surrounded by what is in. */
const MARKS = { '#': true, '.': false, '?': undefined, '-': null };

/** @param {string[]} map lines of marks @param {{rowsOrdered?: boolean}} [options] */
const regions = (map, { rowsOrdered = true } = {}) =>
  regionsOf(
    { rows: { ordered: rowsOrdered, examples: map }, columns: { ordered: true, examples: map[0] } },
    (row, column) => MARKS[/** @type {keyof typeof MARKS} */ (map[row][column])],
  );

describe('findings/map-regions', () => {
  it('everything is one region, nothing is none', () => {
    assert.deepEqual(regions(['##', '##']), [{ rows: [0, 1], columns: [0, 1] }]);
    assert.deepEqual(regions(['..', '..']), []);
  });

  it('a boundary of two halves is two regions, as large as they can be', () => {
    assert.deepEqual(regions(['#..', '#..', '###', '###']), [
      { rows: [2, 3], columns: [0, 2] },
      { rows: [0, 3], columns: [0, 0] },
    ]);
  });

  it('names what is not known with what surrounds it', () => {
    assert.deepEqual(regions(['..', '#?', '##']), [{ rows: [1, 2], columns: [0, 1] }]);
    assert.deepEqual(regions(['..', '.?', '##']), [{ rows: [2, 2], columns: [0, 1] }]);
  });

  it('names what may yet be otherwise only with what lies around it', () => {
    assert.deepEqual(regions(['..-', '##-']), [{ rows: [1, 1], columns: [0, 1] }]);
    assert.deepEqual(regions(['#-#', '...']), [{ rows: [0, 0], columns: [0, 2] }]);
  });

  it('values without an order make no range', () => {
    assert.equal(regions(['##', '##', '..'], { rowsOrdered: false }).length, 2);
    assert.equal(regions(['##', '##', '##'], { rowsOrdered: false }).length, 1);
  });

  it('regions hold all points that are in and none that is out', () => {
    const line = fc.array(fc.constantFrom('#', '.', '?'), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const map = lines.map((each) => each.join(''));
        const found = regions(map);
        for (const [row, text] of map.entries()) {
          for (const [column, mark] of [...text].entries()) {
            const isCovered = found.some(
              ({ rows, columns }) =>
                row >= rows[0] && row <= rows[1] && column >= columns[0] && column <= columns[1],
            );
            if (mark !== '?') assert.equal(isCovered, mark === '#', `${map.join('\n')} ${row} ${column}`);
          }
        }
      }),
    );
  });
});
