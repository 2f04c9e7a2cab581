/** A process of this tool that answers requests. */
export interface AnsweringProcess {
  pid: number | undefined;
  call(method: string, params?: unknown): Promise<any>;
  isWaiting(): boolean;
  /** A request that needs no answer; it may come while another is under way. */
  send(method: string): void;
  /** Has it end as if this process were gone: a worker removes its keys first. */
  dismiss(): Promise<void>;
  kill(): Promise<void>;
}
