/**
 * iovalkey, the fork that Valkey made of ioredis 5: the same interface, which the same adapter speaks.
 */
export default {
  id: 'iovalkey',
  title: 'iovalkey',
  package: 'iovalkey',
  like: 'ioredis',
};
