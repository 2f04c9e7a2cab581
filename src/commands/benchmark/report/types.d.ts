/**
 * What to choose, as a row: what is best, and how far the others are behind it. A row is about the groups in which the same is
 * best.
 */
export interface ChoiceRow {
  axis: string;
  /** Null for all. */
  client: string | null;
  groups: string[];
  choose: string;
  /** These groups in words, empty for all. */
  where: string;
  /** Several where no difference is shown, none where it depends on the other choices. */
  best: string[];
  /**
   * How many times faster the best are, at least and at most, and in how many of the pairs of cells that shows; null in none.
   * What has no pairs was not compared.
   */
  behind: { value: string; low: number | null; high: number | null; shown: number; pairs: number }[];
  texts: { best: string; behind: string };
}
