import type { ScenarioWords } from '../axes/types.js';
import type { Settings, Topology, ValueSchema } from '../options/types.js';
import type { Report as PrintedReport } from '../report/types.js';
import type { Target } from '../server/types.js';
import type { Answers, Chosen, Notice, Report, RunWarning } from '../store/types.js';
import type { Lookups, Part, Schedule } from '../worker/types.js';

/** What only a plugin knows the type of: its options, its parameter, its library, its evidence. */
export type Untyped = any;

export type PluginKind = keyof Plugins;

export interface Plugins {
  clients: ClientPlugin;
  scenarios: ScenarioPlugin;
  pipelining: PipeliningPlugin;
  workloads: WorkloadPlugin;
  ways: WayPlugin;
  suites: SuitePlugin;
  formats: FormatPlugin & { id: string };
}

/** What a user may add; the tool has all others in lists. */
type OwnKind = 'clients' | 'scenarios' | 'workloads' | 'formats';

/** Folders with plugins, or single files, as absolute paths. */
export type PluginFolders = Partial<Record<OwnKind, string[]>>;

export type OwnOptions = Record<string, OwnOption>;

/**
 * An option of a plugin. A scenario's is a list whose values make cells; others have one value. Without a flag it is the
 * tool's option of the same name.
 */
export interface OwnOption {
  flag?: string;
  help?: string;
  value?: ValueSchema;
  default?: Untyped;
}

interface Plugin {
  id: string;
  title?: string;
  summary: string;
  ownOptions?: OwnOptions;
  /** Whether it is a file of the user's. */
  isOwn?: boolean;
}

export interface ClientPlugin extends Omit<Plugin, 'summary'> {
  title: string;
  package: string | null;
  releases?: string;
  /** The file of examples/clients for each range of earlier releases. */
  examples?: Record<string, string>;
  /** Named sets of the client's options; `default` is the client as users get it. */
  variants: Record<string, Record<string, unknown>>;
  /** How to get a variant: `turn the per-command timeout off`. */
  variantWords?: Record<string, string>;
  /** What takes the options of a variant: `createClient`, `new Redis`. */
  constructs?: string;
  /** Names of options that the client knows, for --config. */
  options?: string[];
  /** The types in which the package declares its options, all of which apply at once. */
  declares?: Partial<Record<Topology, string[]>>;
  capabilities: Set<string>;
  since?: Record<string, string>;
  switches?: Record<string, Record<string, unknown>>;
  lacks?: Record<string, string>;
  /** After how long its options end a connection on which replies are due and nothing comes; null for never. */
  silenceLimitMs?(options: Record<string, Untyped>): number | null;
  /** Whether it answers reads from a cache of its own: then the server need not count them. */
  caches?: boolean;
  /** Whether it always reopens a lost connection. */
  reconnects?: boolean;
  /** Prefix of the paths of files that the library leaves behind. */
  tempFilePrefix?(pid: number): string;
  /** Whether it connects without Node, so that nothing can check where to. */
  ownSockets?: boolean;
  floor?: boolean;
  /** How many commands each of its connections sends at once, and the option that says so; undefined for no limit. */
  atOnce?(topology: Topology, options: Record<string, Untyped>): { most: number; option: string } | undefined;
  /**
   * Resolves when ready. It never reconnects: a lost connection is an error (unless the client `reconnects`, or is asked
   * to recover, with capability `recovery`).
   */
  connect: Connect<Untyped>;
  /** With capability `native-pool`: full from the start. `adopt` is called for each connection, and returns the one to lend. */
  connectPool?(
    target: Target,
    options: Record<string, Untyped>,
    library: Untyped,
    pool: { size: number; adopt(connection: Connection): Connection },
    manners?: ConnectionMode,
  ): Promise<ConnectionPool>;
}

export type Connect<Library> = (
  target: Target,
  options: Record<string, Untyped>,
  library: Library,
  manners?: ConnectionMode,
) => Promise<Connection>;

export interface ConnectionMode {
  /** Whether the client's own reconnecting, retries and queues stay on. */
  recovers?: boolean;
  /** Whether replies have Buffers for strings; with capability `buffers`. */
  buffers?: boolean;
  /** Counts the errors, reconnections and ends that a client emits from then on. */
  watch?(client: EventSource): void;
}

/** An EventEmitter. */
export interface EventSource {
  on(event: string, listener: (error?: unknown) => void): unknown;
}

export type Command = [string, ...string[]];

/** What a step may call, of a connection or a batch. */
export type Commands = {
  [Name in 'get' | 'set' | 'hset' | 'exists' | 'del' | 'command' | 'transaction']: (
    ...given: Parameters<Connection[Name]>
  ) => unknown;
};

/** Commands that go out together. Only exec() returns something of use. */
export interface Batch extends Commands {
  exec(): Promise<unknown[]>;
}

export type ConnectionPool = Pick<Required<Lease>, 'borrow' | 'close'>;

/** The same for every client. Strings and numbers in replies are the client's own. */
export interface Connection {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  hset(key: string, field: string, value: string): Promise<number>;
  exists(key: string): Promise<number>;
  del(key: string): Promise<number>;
  ping(): Promise<string>;
  command(args: Command): Promise<unknown>;
  /** MULTI, the commands and EXEC as one, whose reply is that of EXEC. It rejects if it was not carried out, or has Errors. */
  transaction(commands: Command[]): Promise<unknown[]>;
  /** Sends them together. An error reply is an Error in its place, or rejects the whole (node-redis). */
  pipeline(commands: Command[]): Promise<unknown[]>;
  batch?(): Batch;
  close(): Promise<void>;
  destroy(): void;
  /** With capability `subscribe`, on a connection that does nothing else. */
  subscribe?(channel: string, listener: (text: string) => void): Promise<unknown>;
  /** The same object for connections that share a cache. */
  readonly cache?: { answered(): number };
  /** The client's options in effect, defaults included. */
  readonly effectiveOptions: unknown;
}

export interface ScenarioContext {
  connect: () => Promise<Connection>;
  connectMany(count: number): Promise<Connection[]>;
  connectPool(size: number): Promise<ConnectionPool>;
  tasks: number;
  options: ScenarioOptions;
}

export type ScenarioOptions = Record<string, Untyped>;
export interface ScenarioPlugin extends Plugin {
  /** Why these options cannot be combined; null if they can. */
  conflict?(options: ScenarioOptions): string | null;
  words?(options: ScenarioOptions): ScenarioWords;
  requires?(options: ScenarioOptions, topology: Topology): string[];
  connections(tasks: number, options: ScenarioOptions): number;
  tasksAtOnce?(tasks: number, options: ScenarioOptions): number;
  opensDuringRun?: boolean;
  open(context: ScenarioContext): Promise<Lease>;
}

/** What the tasks of a run use: each holds a connection (`forTask`), or borrows one for each iteration (`borrow`). */
export interface Lease {
  forTask?(index: number): Connection;
  borrow?<T>(use: (connection: Connection) => Promise<T>): PromiseLike<T>;
  close(): Promise<void>;
}

export interface PipeliningPlugin extends Plugin {
  requires?: string[];
  parse?(argument: string | undefined, options: Record<string, unknown>): Untyped;
  /** Whether tasks that share a connection wait for each other's replies. */
  takesTurns?: boolean;
  batchSize?(parameter: Untyped): number;
  wrap?(connection: Connection, parameter: Untyped, meter: BatchMeter): Connection;
}

/** `waitedMs`: the idle part of `heldMs`. */
export interface BatchMeter {
  sent(commands: number, heldMs?: number, waitedMs?: number): void;
}

export interface WayPlugin extends Plugin {
  title: string;
  requires?: string[];
  /** Further capabilities where replies are Buffers. */
  requiresForBuffers?: string[];
  /** Whether it sends one command for all keys, which sequences of commands have not. */
  ofMany?: boolean;
  inOneSlot?: boolean;
  /** How misses of a cache fill it, rather than how requests are coded; `joins`: those of one key wait for one backfill. */
  ofBackfills?: boolean;
  joins?: boolean;
  /** What it sends besides, as the server counts it. */
  around?: string[];
  /** Resolves to a reply for each item, in order; rejects with the first error. Missing for backfills. */
  send?(connection: Connection, request: RequestKind & { items: Item[] }): Promise<unknown[]>;
}

/** What a request asks, in all forms: the same of several keys (`many`), or several commands of one key (`parts`). */
export interface RequestKind {
  step: Step;
  one(item: Item): Command;
  parts?: Step[];
  isBackfill?: boolean;
  many?: {
    command: string;
    of(items: Item[]): Command;
    replies(reply: unknown, items: Item[]): unknown[];
  };
}

export interface WorkloadPlugin<Parameter = Untyped> extends Plugin {
  /** If its argument is a choice: `COUNT 100`. */
  choiceOf?(parameter: Parameter): string;
  parse?(argument: string | undefined, options: Record<string, Untyped>): Parameter;
  prepare?(parameter: Parameter, context: CycleContext): Step[];
  /** Whether it writes and reads whole values only, always the same of a key: as replicas that are behind have it. */
  wholeValues?: boolean;
  /** Whether it waits for something else between its commands, so that each borrows a connection of a pool. */
  borrowsForEach?: boolean;
  startsProcesses?: boolean;
  madeBy?(parameter: Parameter): MadeBy;
  /** Whether each run begins without its keys, and so is in one piece. */
  startsEmpty?(parameter: Parameter): boolean;
  /** Whether an operation costs less the more of them a run had before, so that cells compare only by the same number. */
  fillsAsItGoes?(parameter: Parameter): boolean;
  /** Whether its operations may store more each time, without an end that is known before. */
  grows?(parameter: Parameter): boolean;
  /** When all clients have ended: whether the operation on this item was done, or with `tellsRepeats` how often. */
  done?(ask: Ask, item: Item, parameter: Parameter): Promise<unknown>;
  tellsRepeats?: boolean;
  /** Which operations write, by their number; the others only read stored items, which they share. */
  writes?(parameter: Parameter): (number: number) => boolean;
  accounts?(parameter: Parameter): boolean;
  account?: Account;
  requires?: string[];
  /**
   * An operation ends when what it sent has arrived, in the same process or, with two roles, in one of its own. Items have
   * the channel or queue as `key` and what is sent as `value`.
   */
  receive?(parameter: Parameter, tools: ReceiverTools): Promise<Receiver>;
  /** What it sends through: `list`. Each sending process has one. */
  sendsThrough?: string;
  /** How often each value arrives; once by default. */
  receivers?(parameter: Parameter): number;
  processes?(parameter: Parameter): number;
  titleOf?(parameter: Parameter): string;
  /** Its name in rows of tables; the title by default. */
  nameOf?(parameter: Parameter): string;
  /** If an operation is a request: each way to code it makes a cell. `share`: the part of a mix that is one. */
  request?(parameter: Parameter): { kind: RequestKind; count: number; share?: string } | undefined;
  ofOneNode?: boolean;
  /** How long an operation may wait by itself. */
  waitMs?(parameter: Parameter): number;
  sizes?(parameter: Parameter): number[];
  /** The commands of each iteration, over and over; each is awaited before the next. */
  cycle?(parameter: Parameter, context: CycleContext): Step[][];
  /**
   * Instead of `cycle`: one iteration as code. Its keys begin with `item.key`. It throws if a command fails. If a reply is
   * wrong, it returns false, or an Error that says which.
   */
  iterate?(
    connection: HandedConnection,
    item: Item,
    parameter: Parameter,
    context: CycleContext,
  ): Promise<unknown>;
  load?(parameter: Parameter): Promise<Parameter>;
  notes?(parameter: Parameter): (Notice | string)[];
  /** `ratePerSecond` as recorded; --speed multiplies it. */
  data?(parameter: Parameter): NonNullable<Chosen['data']>;
  /** Its `reset` runs before each run. */
  open?(parameter: Parameter, context: OpenContext): Promise<OpenedWorkload>;
  /** With `iterate`: stores what it needs, for each item before the first run. */
  store?(connection: HandedConnection, item: Item, parameter: Parameter): Promise<unknown>;
}
export type Ask = (command: string, key: string, ...rest: string[]) => Promise<unknown>;

/** Operations of a process are numbered from 0. */
export interface Account<Evidence = Untyped> {
  /** What the server's data shows of an operation: whether it was done, or how often. */
  proves: 'writes' | 'repeats';
  fresh?: boolean;
  /** Called in the worker. `evidence` is plain JSON; `keys`: written besides those of items; `unstored`: absent before the run. */
  number(
    job: {
      keyPrefix: string;
      keySize: number;
      valueSize: number;
      oneSlot: boolean;
      tasks: number;
      part: Part;
    },
    items: Items,
    parameter: unknown,
  ): { itemOf(number: number): Item; evidence: Evidence; unstored?: Set<Item> };
  /** At the end: how often each was done, less than 1 if in part, null if that does not show. */
  count(evidence: Evidence, ask: Ask): Promise<Map<number, number | null>>;
}

export interface OpenContext {
  keyPrefix: string;
  /** On a cluster, whether keys share a slot. */
  slots: 'none' | 'one' | 'spread';
  part: Part;
  removal: string[];
}

/** A workload that brings its own items and order. */
export interface OpenedWorkload {
  items: Items;
  steps: Step[];
  cycle: Cycle;
  /** Follows its own times. */
  schedule(pace: { ratePerSecond: number; speed?: number }): Schedule;
  /** Before the first run; resolves to what cannot be checked. */
  store(connection: Connection): Promise<RunWarning[]>;
  /** Makes keys anew that runs extend or empty. */
  reset?(connection: Connection): Promise<void>;
}

export type WorkloadSource<Parameter = Untyped> = Omit<WorkloadPlugin<Parameter>, 'id' | 'summary'> &
  Partial<Pick<WorkloadPlugin, 'summary'>>;

/** A client as a user writes it: other methods of a connection are made of `command`. */
export type ClientSource = Partial<Omit<ClientPlugin, 'id' | 'capabilities' | 'connect'>> & {
  connect?(
    ...given: Parameters<Connect<Untyped>>
  ): Promise<Pick<Connection, 'command' | 'close'> & Partial<Connection>>;
  like?: string;
  capabilities?: Iterable<string>;
};

export type ScenarioSource = Omit<ScenarioPlugin, 'id' | 'summary'> &
  Partial<Pick<ScenarioPlugin, 'summary'>>;

/** For a workload's own code: every command is counted. */
export interface HandedConnection extends Omit<Connection, 'close' | 'destroy' | 'effectiveOptions'> {
  batch(): Batch;
  /** The connection itself; what goes through it must be declared. */
  client: Untyped;
  declare(command: string, times?: number): void;
}

export interface ReceiverTools {
  key: string;
  connect(): Promise<Connection>;
  ledger: Ledger;
  count(command: string): void;
}

/** What is on its way to receivers; `atMs` is by the clock that processes share. */
export interface Ledger {
  inFlight(): number;
  arrive(id: number, receiver: number, atMs?: number): void;
  fail(error: unknown): void;
}

interface Receiver {
  expect(): void;
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface CycleContext {
  role: number;
  keys: number;
  processes: number;
  /** Items with values of one of the workload's `sizes`. */
  itemsOf(size: number): Item[];
  /** Other keys for each number but 0, in an order that begins after this share of them. */
  setOf?(number: number, share?: number): Items;
  /** How every key begins; missing where nothing will be sent. */
  keyPrefix?: string;
  /** Whether own code may send commands that reach other keys than its own, such as scripts. */
  anyCommand?: boolean;
  /** What own code may store until its first run is over, and one command or the replies in flight after that. */
  untriedBytes?: number | undefined;
  isFollowed?: boolean | undefined;
  way?: WayPlugin | undefined;
  items?(): Item[];
  isSpread?: boolean;
}

/** What the replies to a command of the user's are to hold: a write may well reply with nothing. */
export type Finds = 'something' | 'nothing' | 'anything';

export interface Step {
  /** Lower case, as the server counts it. */
  command: string;
  label?: string;
  bytes?: number;
  send(commands: Commands, item: Item): unknown;
  accept(reply: unknown, item: Item): boolean;
  /** Whether its key is the hash of all items, which decides the node. */
  byHash?: boolean;
  /** The items whose values the server has once it was answered, under their keys; missing where its effect is not known. */
  stores?(item: Item): Item[];
  restart?(): void;
  /** Its own, in their own order, where it is a share of a mix, or prepares one. */
  items?: Items | undefined;
  /** Whether it waits by itself: its figures are kept apart. */
  waits?: boolean;
  learning?: {
    args: string[];
    finds: Finds;
    /** The command of the user's that stored its data. */
    preparedBy: string | null;
    /** `ordered`: whether the order of elements counts. */
    learn(reply: unknown, item: Item, ordered: boolean): void;
    isFilled(): boolean;
    /** Whether it takes away what it finds. */
    usesUp: boolean;
    /** How many found nothing since the last call. */
    takeNothing(): number;
  };
  parts?: Step[] | undefined;
  takeAnswers?(): Answers;
  takeLookups?(): Lookups;
  wrongAmong?(replies: unknown, item: Item): unknown;
  wrongText?(reply: unknown, item: Item, excerpt: (reply: unknown) => string): string | undefined;
  /** If it is not one `command` each time: what it sent since the last call. */
  takeCalls?(): Record<string, number>;
  /** Keys that it may have written, besides those of the items. */
  keys?(): string[];
  store?(connection: Connection, item: Item): Promise<unknown>;
}

export type { Answers };

export interface Item {
  index: number;
  key: string;
  /** The hash in which it is a field. */
  hash: string;
  value: string;
  at?: number;
  /** Whether a reply is the value, if clients do not return the text itself. */
  reads?(reply: unknown): boolean;
}

export interface Items {
  next(): Item;
  /** Those that came last, the latest first. */
  last(count: number): Item[];
  restart(): void;
  all(): Item[];
  keys(): string[];
}

export interface Cycle {
  /** The step that is all of every iteration; null where there are more. */
  only: Step | null;
  next(): Step[];
  /** The steps of an iteration, whichever is next; missing where they depend on its item. */
  at?(number: number): Step[];
  /** Iterations begun so far, where they are not all the same. */
  position(): number;
  /** Commands by name of `count` iterations. */
  commandsIn(from: number, count: number): Record<string, number>;
  /** How often each step comes in `count` iterations; missing where they depend on items. */
  stepsIn?(from: number, count: number): Map<Step, number>;
}

export type { Chosen };
export type MadeBy = NonNullable<Chosen['madeBy']>;

export interface SuitePlugin extends Plugin {
  title: string;
  /** The default format; prints as the origin did. */
  format?: string;
  options: Partial<Record<keyof Settings, unknown>> & Record<string, unknown>;
}

/** For people, from the report of any command; or for programs, from what was measured. A text ends with a line feed. */
export interface FormatPlugin extends Omit<Plugin, 'id'> {
  /** It gets texts as they are, and escapes by itself what would control a terminal; others get them printable. */
  keepsTexts?: boolean;
  print?(report: PrintedReport, view: View): string | Promise<string>;
  render?(result: Report, view: View): string | Iterable<string> | Promise<string>;
}

export interface View {
  color: boolean;
  width: number;
  details: boolean;
  /** The command that prints the details; null if none can. */
  detailsCommand: string | null;
}

export interface Catalogue extends Readonly<{ [Kind in PluginKind]: Map<string, Plugins[Kind]> }> {
  folders: PluginFolders;
  packages: Record<string, string>;
}
