import type { ScenarioWords } from '../axes/types.js';
import type { Settings, Topology, ValueSchema } from '../options/types.js';
import type { Notice, Report, RunWarning } from '../results/types.js';
import type { Target } from '../server/types.js';
import type { Job, Measured, Part, Schedule } from '../worker/types.js';

export type PluginKind = keyof Plugins;

export interface Plugins {
  clients: ClientPlugin;
  scenarios: ScenarioPlugin;
  pipelining: PipeliningPlugin;
  workloads: WorkloadPlugin;
  ways: WayPlugin;
  suites: SuitePlugin;
  formats: FormatPlugin;
}

/** Folders with plugins besides the tool's own, or a plugin's file, as absolute paths. */
export type PluginFolders = Partial<Record<PluginKind, string[]>>;

export interface ContractResult {
  title: string;
  /** Why it is not; null where it is. */
  failed: string | null;
}

/** A file of the user's that was given by its path. */
export interface PluginFile {
  kind: PluginKind;
  id: string;
  /** Its name, without folders. */
  file: string;
  /** Of its content, and of the files that it imports by a relative path: twelve hexadecimal digits. */
  hash: string;
}

export type OwnOptions = Record<string, OwnOption>;

/**
 * An option that a plugin brings: of a scenario, a list whose values make cells of their own; of others, one
 * value. Without a flag it is the tool's option of the same name, whose values the plugin takes as well.
 */
export interface OwnOption {
  /** As the command line spells it: `--pool-size <list>`. */
  flag?: string;
  /** What it is; the help puts the plugin's name before it and the default after it. */
  help?: string;
  /** What a value must be; in a list, each of its values. */
  value?: ValueSchema;
  default?: any;
}

export interface BringsOptions {
  kind: PluginKind;
  id: string;
  ownOptions: OwnOptions;
}

interface Plugin {
  id: string;
  summary: string;
  ownOptions?: OwnOptions;
}

interface TitledPlugin extends Plugin {
  title: string;
}

export interface ClientPlugin {
  id: string;
  title: string;
  /** The npm package that is measured; null for this tool's own client. */
  package: string | null;
  /** The releases of the package that the adapter supports, as a range; all by default. */
  releases?: string;
  /** Named sets of the client's own options; `default` is the client as a user gets it. */
  variants: Record<string, Record<string, any>>;
  /** What to do to get a variant: `turn the per-command timeout off`. */
  variantWords?: Record<string, string>;
  /** What opens one connection and takes the options of a variant: `createClient`, `new Redis`. */
  constructs?: string;
  /** Handed to connect() among its options. */
  ownOptions?: OwnOptions;
  /** The names of the options that the client knows, for --config. */
  options?: string[];
  capabilities: Set<string>;
  /** Variants and capabilities that older releases lack, by the first release that has them. */
  since?: Record<string, string>;
  /** The options that switch on a capability which is off by default. */
  switches?: Record<string, Record<string, any>>;
  /** The names of the options that make it keep replies of the server, and answer with them itself. */
  cacheOptions?: string[];
  /** Why it lacks a capability, if that needs saying: "no prompt-close: …". */
  lacks?: Record<string, string>;
  /** Whether it reopens a lost connection and cannot be configured not to; the server's counters show it. */
  reconnects?: boolean;
  /** How the paths of the files begin that the library leaves behind for a process. */
  leaves?(pid: number): string;
  /** Whether it connects without Node, so that an agent cannot see where to. */
  ownSockets?: boolean;
  /** Whether it is the floor that the others are measured against, not a client for applications. */
  floor?: boolean;
  /**
   * Connects and is ready: the next command is answered. Never reconnects: a lost connection is an
   * error (unless the client `reconnects`, or is asked to recover, with capability `recovery`).
   */
  connect: Connect<any>;
  /**
   * The client's own pool, full from the start; with capability `native-pool`. Each connection goes
   * through `adopt` once, which returns the one to lend.
   */
  connectPool?(
    target: Target,
    options: Record<string, any>,
    library: any,
    pool: { size: number; adopt(connection: Connection): Connection },
    manners?: Manners,
  ): Promise<ConnectionPool>;
}

/** `options`: a variant's, and the user's. */
export type Connect<Library> = (
  target: Target,
  options: Record<string, any>,
  library: Library,
  manners?: Manners,
) => Promise<Connection>;

export interface Manners {
  /** Whether it keeps the client's own reconnecting, retries and queues, as its users get them. */
  recovers?: boolean;
  /** Whether texts in replies are to be Buffers; with the capability `buffers`. */
  buffers?: boolean;
}

/** Its name first. */
export type Command = [string, ...string[]];

/** What can be sent on a connection or put into a batch. */
export interface Commands {
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  hset(key: string, field: string, value: string): unknown;
  exists(key: string): unknown;
  del(key: string): unknown;
  command(args: Command): unknown;
  /** MULTI, the commands and EXEC as one, whose reply is what EXEC gave: one for each command. */
  transaction(commands: Command[]): unknown;
}

/** Commands that go out together. What its methods return is not used. */
export interface Batch extends Commands {
  /** Sends them; as `Connection.pipeline`. */
  exec(): Promise<unknown[]>;
}

/** Lends its connections, one to each use. */
export type ConnectionPool = Pick<Required<Lease>, 'borrow' | 'close'>;

/** What a client keeps of the server's replies, to answer with them itself. */
export interface ClientCache {
  /** Commands that it has answered so far, which the server never saw. */
  answered(): number;
}

/** A connection, the same for every client. Replies are the client's own for strings and numbers. */
export interface Connection extends Commands {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  hset(key: string, field: string, value: string): Promise<number>;
  exists(key: string): Promise<number>;
  del(key: string): Promise<number>;
  ping(): Promise<string>;
  command(args: Command): Promise<unknown>;
  /**
   * The client's own transaction, or MULTI, the commands and EXEC sent together. Rejects where it was not carried out;
   * where one of its commands failed, it rejects or has an Error in its place.
   */
  transaction(commands: Command[]): Promise<unknown[]>;
  /**
   * Sends the commands together and resolves to their replies in order. An error reply stands as an Error in
   * its place, or rejects the whole if the client does not give the others (node-redis).
   */
  pipeline(commands: Command[]): Promise<unknown[]>;
  /** The client's own batch, filled by method calls as a user would; otherwise one is made of `pipeline`. */
  batch?(): Batch;
  /** Waits for what is in flight, then closes. */
  close(): Promise<void>;
  /** Closes at once. */
  destroy(): void;
  /** Hears what is published on a channel; with the capability `subscribe`, on a connection that does nothing else. */
  subscribe?(channel: string, onMessage: (message: string) => void): Promise<unknown>;
  /** The same object for connections that share a cache; missing or undefined where there is none. */
  readonly cache?: ClientCache;
  /** The options that the client really uses, defaults included. */
  readonly effectiveOptions: unknown;
}

export interface ScenarioContext {
  connect: () => Promise<Connection>;
  /** Opens this many at once, or fails. */
  connectMany(count: number): Promise<Connection[]>;
  /** The client's own pool with this many connections, all open. */
  connectPool(size: number): Promise<ConnectionPool>;
  tasks: number;
  options: ScenarioOptions;
}

export type ScenarioOptions = Record<string, any>;

/** Each combination of the values of its options makes a cell. */
export interface ScenarioPlugin extends TitledPlugin {
  /** Why its options cannot be combined; null if they can. */
  conflict?(options: ScenarioOptions): string | null;
  /** How it is put in words with these options. */
  words?(options: ScenarioOptions): ScenarioWords;
  /** Capabilities that the client must have. */
  requires?(options: ScenarioOptions, topology: Topology): string[];
  /** How many connections are open at once. */
  connections(tasks: number, options: ScenarioOptions): number;
  /** How many tasks can be in an iteration at once. */
  tasksAtOnce?(tasks: number, options: ScenarioOptions): number;
  /** Whether connections are opened while the clock runs. */
  opensDuringRun?: boolean;
  open(context: ScenarioContext): Promise<Lease>;
}

/** A scenario's connections for one run: either held by each task for all of it, or borrowed for each iteration. */
export interface Lease {
  forTask?(index: number): Connection;
  borrow?<T>(use: (connection: Connection) => Promise<T>): PromiseLike<T>;
  /** Has it serve another number of tasks from now on; missing where that takes another process. */
  serve?(tasks: number): Promise<void>;
  close(): Promise<void>;
}

export interface PipeliningPlugin extends TitledPlugin {
  /** How it is written with its argument, which follows a colon. */
  syntax?: string;
  requires?: string[];
  /** Reads the argument; throws an Error that says what was expected. */
  parse?(argument: string | undefined, options: Record<string, any>): any;
  /** Whether the tasks that share a connection wait for each other's replies. */
  takesTurns?: boolean;
  /** How many iterations a task sends together, if it does. */
  batchSize?(parameter: any): number;
  /** A connection that holds commands back or joins them; by default they are sent as they come. */
  wrap?(connection: Connection, parameter: any, meter: BatchMeter): Connection;
}

/** Called for each batch that goes out: its commands, how long it was held back, and what of that was idle. */
export interface BatchMeter {
  sent(commands: number, heldMs?: number, waitedMs?: number): void;
}

export interface Batches {
  batches: number;
  commands: number;
  largest: number;
  /** Added up over all batches: from the first command to the sending. */
  heldMs: number;
  longestHeldMs: number;
  /** Time that the event loop spent on nothing but waiting for a batch's time to come. */
  waitedMs: number;
}

/** How a request, which is about several keys, is coded. */
export interface WayPlugin extends TitledPlugin {
  ownOptions?: undefined;
  requires?: string[];
  /** What else the client must be capable of where replies are Buffers. */
  requiresForBuffers?: string[];
  /** What it needs of a request; sequences of commands have neither. */
  form?: 'many' | 'script';
  /** Whether what it sends together must be in one slot of a cluster. */
  inOneSlot?: boolean;
  /** Its name in rows, if the request changes it: `MGET`. */
  titleOf?(kind: RequestKind): string;
  /** What to do: `use MGET`. */
  imperative(kind: RequestKind): string;
  /** What the server counts for a request of so many keys, by command in lower case. */
  calls(kind: RequestKind, items: number): Record<string, number>;
  /** Before the first run, for the request that begins at each key. */
  prepare?(connection: Connection, request: Request): Promise<unknown>;
  /** Resolves to a reply for each item, in order; rejects with the first error. */
  send(connection: Connection, request: Request): Promise<unknown[]>;
}

/** What a request asks, in the forms that ways need: the same of several keys, or several commands of one key. */
export interface RequestKind {
  /** Of one item, by the client's own method. */
  step: Step;
  one(item: Item): Command;
  /** What the server counts where each item has a command of its own. */
  each(items: number): Record<string, number>;
  /** In a sequence of commands: each of them. */
  parts?: Step[];
  /** Of all keys by one command. */
  many: {
    command: string;
    of(items: Item[]): Command;
    replies(reply: unknown, items: Item[]): unknown[];
  };
  /** Of all keys, with the replies of `many`. */
  script: { text: string; values(items: Item[]): string[]; calls(items: number): Record<string, number> };
}

/** Of a sequence of commands there is no form for several keys. */
export type AskedKind = Omit<RequestKind, 'many' | 'script'> & Partial<Pick<RequestKind, 'many' | 'script'>>;

export interface Request extends RequestKind {
  items: Item[];
}

export interface WorkloadPlugin extends TitledPlugin {
  syntax?: string;
  /** What its argument chooses, `COUNT 100`: its values are compared with each other, and one is advised. */
  choiceOf?(parameter: any): string;
  parse?(argument: string | undefined, options: Record<string, any>): any;
  /** How the replies to its commands are checked, by command, for users; the steps do the checking. */
  checks?: Record<string, ReplyCheck>;
  /** What is sent for each item before the first run. */
  prepare?(parameter: any): Step[];
  /** Whether all that it writes and reads are whole values of its items, so that a reply can show that it is older than another. */
  tellsWrites?: boolean;
  /** Whether each operation is a fresh process, which imports the client and connects. */
  startsProcesses?: boolean;
  /** Whether what it stored is removed before each run. */
  startsEmpty?: boolean;
  /** Whether its data grows with each operation, so that it is for the runs of --fault alone. */
  grows?: boolean;
  /**
   * With --fault each operation has items of its own. When all clients have ended: whether that on this item was done, or
   * how often, where it `tellsRepeats`.
   */
  done?(ask: Ask, item: Item, parameter: any): Promise<unknown>;
  tellsRepeats?: boolean;
  /** Instead of `done`; without both, with --fault its replies are all that is known. */
  account?: Account;
  /** Whether it may have to make data anew before each run, with the `reset` of what it opened. */
  resets?: boolean;
  requires?: string[];
  /**
   * Its steps send messages, which the process receives itself, or with two roles a process of its own: an operation ends
   * when its message has arrived. The item of such a step has the key that the messages go through, and the message as
   * its value.
   */
  receive?(parameter: any, tools: MessageTools): Promise<MessageReceiver>;
  /** What its messages go through, as a reader knows it: a list. Each process that sends has one. */
  sendsThrough?: string;
  /** How many times each message arrives; once by default. */
  receivers?(parameter: any): number;
  /** Whether its receivers go on after a fault, and its messages are followed with --fault. */
  outlasts?(parameter: any): boolean;
  /** When all clients have ended: the messages that the server still has; missing where it keeps none. */
  messagesLeft?(ask: Ask, key: string, parameter: any): Promise<unknown[]>;
  /** Whether those are all messages, and not only those that nobody took. */
  keepsMessages?: boolean;
  /** How many roles it has, if its processes do different things at the same time. */
  processes?(parameter: any): number;
  /** Its name in titles and sentences, if it differs from how it is written. */
  titleOf?(parameter: any): string;
  /** Where an operation is a request: what it asks, and of how many keys. Each way to code it makes a cell. */
  request?(parameter: any): { kind: AskedKind; count: number } | undefined;
  /** Whether it sees what one node of a cluster has, and no more. */
  ofOneNode?: boolean;
  /** The sizes of values that it works on besides those of the cell. */
  sizes?(parameter: any): number[];
  /** What the iterations do, over and over: the commands of each, one awaited before the next. */
  cycle?(parameter: any, context: CycleContext): Step[][];
  /**
   * Instead of `cycle`: one iteration as code, with several commands and whatever is computed between them. Its keys
   * are made from `item.key`. It throws where a command fails. Where a reply is wrong, it returns false, or an
   * Error that says which.
   */
  iterate?(connection: HandedConnection, item: Item, parameter: any, context: CycleContext): Promise<unknown>;
  /** Reads what its parameter names, once before anything is planned. */
  load?(parameter: any): Promise<any>;
  /** Whether its argument is the path of a file; in a suite, relative to the suite's file. */
  takesFile?: boolean;
  /** Of what it loaded: the files whose content decides what is sent. */
  files?(parameter: any): Pick<PluginFile, 'file' | 'hash'>[];
  /** What a user must know of its parameter before it runs. */
  notes?(parameter: any): (Notice | string)[];
  /** The data that it works on, where that is its own and not that of --size and --keys. */
  data?(parameter: any): OwnData;
  /** Instead of `cycle`: what operations draw from, made in each worker. */
  open?(parameter: any, context: OpenContext): Promise<OpenedWorkload>;
  /** Beside `iterate`: stores what the iterations need, once for each item before the first run. */
  store?(connection: HandedConnection, item: Item, parameter: any): Promise<unknown>;
}

/** Sends a command about a key, when all clients have ended. */
export type Ask = (command: string, key: string, ...rest: string[]) => Promise<unknown>;

/** What a worker knows of its cell before it numbers operations. */
export type AccountJob = Pick<Job, 'keyPrefix' | 'keySize' | 'valueSize' | 'oneSlot' | 'tasks' | 'part'>;

/** The operations of a process by their numbers, from 0. */
export interface Account<Evidence = any> {
  /**
   * What the server's data shows of an operation: whether it was done, or how often. Of messages, which are also counted
   * where they arrive: all that were sent, those that nobody took, or nothing.
   */
  proves: 'writes' | 'repeats' | 'kept' | 'popped' | 'published';
  /** Whether each operation has items of its own. */
  fresh?: boolean;
  /** In the worker. `evidence` is plain JSON; `keys`: those besides its items' that it writes. */
  number(
    job: AccountJob,
    items: Items,
    parameter: any,
  ): { itemOf(number: number): Item; keys: string[]; evidence: Evidence };
  /**
   * When all clients have ended: how often each was done, less than 1 where it was done in part. `arrived`: of messages,
   * how often each came to one receiver.
   */
  count(evidence: Evidence, ask: Ask, arrived: Map<number, number>): Promise<Map<number, number>>;
}

/** Data of a workload's own, in averages. */
export interface OwnData {
  keys: number;
  keyBytes: number;
  valueBytes: number;
  /** As it was recorded; what --speed is a multiple of. */
  ratePerSecond: number;
  /** How much of what was recorded is replayed, 0 to 1. */
  share?: number;
  /** The default of --tasks. */
  tasks?: number;
}

export interface OpenContext {
  /** How every key begins. */
  keyPrefix: string;
  /** Of a cluster: whether all keys are to be in one slot, or spread. */
  slots: 'none' | 'one' | 'spread';
  part: Part;
  /** How to remove a key: the command, and what follows the key. */
  removal: string[];
}

export interface RecordedPace {
  /** On average over the whole recording, where no speed is given; of all processes together. */
  ratePerSecond: number;
  /** How many times as fast as it was recorded. */
  speed?: number;
}

/** What a worker does for a workload that brings its own items. */
export interface OpenedWorkload {
  items: Items;
  /** What each operation does with its item; without a `cycle`, all of them. */
  steps: Step[];
  /** Where it depends on the item: the steps for the one that was taken last. */
  cycle?: Cycle;
  /** When the next operations were recorded, faster or slower. */
  schedule(pace: RecordedPace): Schedule;
  /** Stores what they need; resolves to what cannot be checked. */
  store(connection: Connection): Promise<RunWarning[]>;
  /** Makes anew what the last run has changed. */
  reset?(connection: Connection): Promise<void>;
}

export type WorkloadSource = Omit<WorkloadPlugin, 'id' | 'title' | 'summary' | 'cycle'> &
  Partial<Pick<WorkloadPlugin, 'title' | 'summary' | 'cycle'>>;

/** A client as an author writes it: what else a connection can do is made of `command`. */
export type ClientSource = Partial<Omit<ClientPlugin, 'id' | 'capabilities' | 'connect'>> & {
  connect?(
    ...given: Parameters<Connect<any>>
  ): Promise<Pick<Connection, 'command' | 'close'> & Partial<Connection>>;
  /** The client of this tool whose other members it takes over. */
  like?: string;
  capabilities?: Iterable<string>;
};

export type ScenarioSource = Omit<ScenarioPlugin, 'id' | 'title' | 'summary'> &
  Partial<Pick<ScenarioPlugin, 'title' | 'summary'>>;

export type PipeliningSource = Partial<Omit<PipeliningPlugin, 'id'>>;

export type WaySource = Pick<WayPlugin, 'calls' | 'send'> & Partial<Omit<WayPlugin, 'id'>>;

/** A connection in the hands of a workload's own code: whatever goes through it is counted. */
export interface HandedConnection extends Omit<Connection, 'close' | 'destroy' | 'effectiveOptions'> {
  batch(): Batch;
  /** The connection itself, with whatever else its client offers; what goes through it must be declared. */
  client: any;
  /** Counts commands that were sent by other ways, so that the server's counters can account for them. */
  declare(command: string, times?: number): void;
}

/** What a workload receives messages with. */
export interface MessageTools {
  /** A key or channel that only these messages go through. */
  key: string;
  /** Opens a connection besides those of the tasks, which the receiver closes. */
  connect(): Promise<Connection>;
  ledger: MessageLedger;
  /** Called for each command of the receiver, in lower case as the server counts it. */
  count(command: string): void;
}

/** Counts each message once. */
export interface MessageLedger {
  /** Messages that have not arrived everywhere. */
  underWay(): number;
  /** Makes a new one, so many milliseconds after it was meant to be sent; `arrived` rejects when it is lost. */
  send(lateMs?: number): { id: number; arrived: Promise<void> };
  /** @param receiver which of several has it, from 0; `atMs` by the clock that all processes share, now by default */
  arrive(id: number, receiver: number, atMs?: number): void;
  /**
   * A receiver failed. Without a fault nothing arrives any more: so those in flight and all later ones fail. With one it
   * is to go on when what is returned has resolved.
   */
  fail(error: unknown): Promise<void> | void;
}

export interface MessageReceiver {
  /** Another message has just been sent on this connection. */
  expect(connection: Connection): void;
  /** Resolves when every command of its own is answered. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What the steps of a cell's process may depend on. */
export interface CycleContext {
  /** Which of the workload's roles the process has, from 0. */
  role: number;
  keys: number;
  /** How many processes have the same role. */
  processes: number;
  /** The items with values of one of the workload's own sizes. */
  itemsOf(size: number): Item[];
  /** How every key begins; missing where nothing will be sent. */
  keyPrefix?: string;
  /** Whether something breaks in its run, so that each operation is followed. */
  isFollowed?: boolean | undefined;
  /** How requests are coded; the same, and missing for other workloads. */
  way?: WayPlugin | undefined;
  /** All items of the cell. */
  items?(): Item[];
  /** Whether its keys are in many slots of a cluster. */
  isSpread?: boolean;
}

/**
 * `value`: a reply is right only if it is exactly what this command on this key must be answered. `type`: any
 * reply of the same type passes. `count`: several replies pass, and each is counted. `shape`: type and size must be
 * as recorded.
 */
export type ReplyCheck = 'value' | 'type' | 'count' | 'shape';

export interface Step {
  /** The Redis command in lower case, as the server counts it. */
  command: string;
  /** What it is called where the latency of each command is distinguished. */
  label?: string;
  /** The size of its values, where that is its own. */
  bytes?: number;
  send(commands: Commands, item: Item): unknown;
  /** Whether the reply is what it must be. */
  accept(reply: unknown, item: Item): boolean;
  /** Forgets the replies of earlier runs, if what is right depends on them. */
  restart?(): void;
  /** For a user's own command: the right replies are found out before the first run. */
  learning?: {
    args: string[];
    /** Which of its arguments are keys by what the user says, from 1. */
    keysAt?: number[] | undefined;
    /** Makes this the right reply for the item from now on. `ordered`: whether the order of elements counts. */
    learn(reply: unknown, item: Item, ordered: boolean): void;
  };
  /** Of a sequence: its commands. */
  parts?: Step[] | undefined;
  /** If it asks something: how many replies since the last call said yes, and how many no. */
  takeAnswers?(): Answers;
  /** What is said of a wrong reply, if it takes more than its text. */
  wrongText?(reply: unknown, item: Item, excerpt: (reply: unknown) => string): string | undefined;
  /** If it is more or less than one `command` each time: what it sent since the last call, by name. */
  takeCalls?(): Record<string, number>;
  /** Keys that it may have written besides those of the items. */
  keys?(): string[];
  /** Stores what it needs, before the first run. */
  store?(connection: Connection, item: Item): Promise<unknown>;
}

/** How many replies to EXISTS were 1 and how many 0. */
export interface Answers {
  true: number;
  false: number;
}

export interface Item {
  /** Counts from 0. */
  index: number;
  key: string;
  /** The hash in which it is a field, for commands on hashes. */
  hash: string;
  value: string;
  /** Of a request that is a sequence of commands: which of them it stands for, from 0. */
  at?: number;
  /** Whether a reply is the value, where clients do not answer with the text itself. */
  reads?(reply: unknown): boolean;
}

export interface Items {
  /** The item of the next operation. */
  next(): Item;
  /** Starts again with the first item, in the same order. */
  restart(): void;
  all(): Item[];
  /** Every key that may have been written. */
  keys(): string[];
}

export interface Cycle {
  /** The only step of every iteration; null if there are more. */
  only: Step | null;
  /** The steps of the next iteration. */
  next(): Step[];
  position(): number;
  commandsIn(from: number, count: number): Record<string, number>;
}

/** Counts what goes wrong in a run. */
export interface Tally {
  wrong(step: Step, reply: unknown, item: Item): void;
  /** @param operations how many operations failed with it */
  error(error: unknown, operations?: number): void;
  counts(): Pick<Measured, 'wrongReplies' | 'firstWrongReply' | 'errors'>;
}

/** A pipelining mode or workload that was chosen, with what its argument means. */
export interface Chosen {
  id: string;
  /** As its plugin's parse() returned it: plain JSON. */
  parameter: any;
  /** Its name in titles and sentences, if it differs from how it is written. */
  title?: string;
  /** What its argument chooses, `COUNT 100`, where that is no condition but up to the user. */
  choice?: string;
  /** Of a workload with data of its own. */
  data?: OwnData;
  /** Of a workload of messages, which has no keys to choose. */
  sendsThrough?: string;
  /** Whether each operation is a fresh process. */
  startsProcesses?: boolean;
  /** Whether it has keys of its own where something breaks. */
  ownKeys?: boolean;
}

export interface SuitePlugin extends TitledPlugin {
  ownOptions?: undefined;
  /** The format that prints it as its origin did; the default for this suite. */
  format?: string;
  options: Partial<Record<keyof Settings, unknown>> & Record<string, unknown>;
  /** Override those with --full: the origin's own size, if that takes very long. */
  full?: Partial<Record<keyof Settings, unknown>>;
  /** What must hold of its results. */
  assertions?: string[];
}

/** What its options are is handed to render() in the view. */
export interface FormatPlugin extends Plugin {
  /**
   * Ends with a line feed. The text depends on the report and the view only. A format whose text grows with
   * the number of runs gives it in parts, and gives them again when it is iterated over again.
   */
  render(report: Report, view: View): string | Iterable<string> | Promise<string>;
}

export interface View {
  color: boolean;
  width: number;
  plot: boolean;
  /** Whether to print, after the first screen, all that is behind it. */
  details: boolean;
  /** The command that prints the details of this report; null where there is none. */
  detailsCommand: string | null;
  /** Whether the terminal shows more than ASCII. */
  unicode: boolean;
  options?: Record<string, any>;
}

/** The plugins of each kind, by id. */
export interface Catalogue extends Readonly<{ [Kind in PluginKind]: Map<string, Plugins[Kind]> }> {
  folders: PluginFolders;
  /** Versions of the installed client packages by name. */
  packages: Record<string, string>;
  /** Those that the user gave by their paths. */
  ownFiles?: PluginFile[];
}
