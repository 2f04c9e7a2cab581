/** The ratio of two cells, as a test found it. */
export interface Contrast {
  ratio: number;
  /** The interval of the ratio at the level at which this pair was tested: it leaves out 1 exactly where a difference is claimed. */
  low: number;
  high: number;
  p: number;
  pAdjusted: number;
  differs: boolean;
}

/**
 * What a comparison of speeds came to. `tied` is a claim too: the whole interval is too little to matter. `not decided`: the
 * test carries no claim; `not measured`: there was no test.
 */
export type Verdict = 'faster' | 'slower' | 'tied' | 'not decided' | 'not measured';
