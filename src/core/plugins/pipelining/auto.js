export default {
  id: 'auto',
  title: 'auto',
  summary: "like implicit, with the client's own automatic pipelining switched on",
  requires: ['auto-pipelining'],
};
