/**
 * OpenTelemetry for ioredis and node-redis, as in a service that answers requests: each has a span, and each of its Redis
 * commands one below it. Spans are ended and go nowhere, so that no collector is measured.
 *
 *   npm install @opentelemetry/api @opentelemetry/sdk-trace-node @opentelemetry/context-async-hooks \
 *     @opentelemetry/instrumentation @opentelemetry/instrumentation-ioredis @opentelemetry/instrumentation-redis
 *   redis-pipe-bench --import none,./otel.mjs
 */
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';

/** The part of the requests that is sampled, each with all of its commands. */
const SAMPLED = Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? 1);
const COMMANDS_PER_REQUEST = 20;

let commands = COMMANDS_PER_REQUEST;
const byParent = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(SAMPLED) });
const provider = new NodeTracerProvider({
  sampler: {
    // Called once for each span, whether it is sampled or not.
    shouldSample(...span) {
      commands++;
      return byParent.shouldSample(...span);
    },
  },
  spanProcessors: [
    new BatchSpanProcessor({ export: (_, done) => done({ code: 0 }), shutdown: async () => {} }),
  ],
});

/** Stands in for an HTTP server: what runs outside of any span is part of a request. */
class InRequests extends AsyncLocalStorageContextManager {
  #request;
  #context = ROOT_CONTEXT;

  active() {
    const active = super.active();
    if (active !== ROOT_CONTEXT) return active;
    if (commands >= COMMANDS_PER_REQUEST) {
      this.#request?.end();
      this.#request = provider.getTracer('requests').startSpan('request', {}, ROOT_CONTEXT);
      this.#context = trace.setSpan(ROOT_CONTEXT, this.#request);
      commands = 0;
    }
    return this.#context;
  }
}

provider.register({ contextManager: new InRequests() });
registerInstrumentations({ instrumentations: [new IORedisInstrumentation(), new RedisInstrumentation()] });
