export default {
  id: 'implicit',
  title: 'implicit',
  summary: 'each command is issued by itself; whether several share a write is up to the client',
};
