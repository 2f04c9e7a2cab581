export default {
  id: 'default',
  title: 'Ways to connect',
  summary: 'redis and ioredis in every connection scenario, 8 tasks, 1000-character keys and values',
  options: {},
};
