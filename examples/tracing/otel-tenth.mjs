/** The same with a tenth of the requests sampled. */
process.env.OTEL_TRACES_SAMPLER_ARG = '0.1';
await import('./otel.mjs');
