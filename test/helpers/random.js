import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Reproducible random numbers.
 *
 * @param {number} seed
 */
export function createRandom(seed) {
  const generator = xoroshiro128plus(seed);
  /** Uniform in (0, 1]. */
  const uniform = () => uniformInt(generator, 1, 2 ** 30) / 2 ** 30;
  /** Normally distributed (Box–Muller). */
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}
