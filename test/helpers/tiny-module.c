/*
 * A module of Redis with a few commands, for the tests. Debian has no redismodule.h: what a module needs of the API is
 * asked of the server by name, as that header does.
 */
#include <stddef.h>

enum { READ = 1, WRITE = 2 };

typedef int Command(void *context, void **argv, int argc);

static int (*CreateCommand)(void *, const char *, Command *, const char *, int, int, int);
static int (*WrongArity)(void *);
static void *(*OpenKey)(void *, void *, int);
static void (*CloseKey)(void *);
static int (*StringSet)(void *, void *);
static const char *(*StringDMA)(void *, size_t *, int);
static int (*ReplyWithStringBuffer)(void *, const char *, size_t);
static int (*ReplyWithSimpleString)(void *, const char *);
static int (*ReplyWithNull)(void *);

/* The key is the last argument. */
static int get(void *context, void **argv, int argc) {
  if (argc < 2) return WrongArity(context);
  void *key = OpenKey(context, argv[argc - 1], READ);
  if (key == NULL) return ReplyWithNull(context);
  size_t length;
  const char *value = StringDMA(key, &length, READ);
  ReplyWithStringBuffer(context, value, length);
  CloseKey(key);
  return 0;
}

static int set(void *context, void **argv, int argc) {
  if (argc < 3) return WrongArity(context);
  void *key = OpenKey(context, argv[1], READ | WRITE);
  StringSet(key, argv[2]);
  CloseKey(key);
  return ReplyWithSimpleString(context, "OK");
}

int RedisModule_OnLoad(void *context, void **argv, int argc) {
  int (*getApi)(const char *, void *) = ((void **)context)[0];
  int (*setAttributes)(void *, const char *, int, int);
  (void)argv;
  (void)argc;
  getApi("RedisModule_SetModuleAttribs", &setAttributes);
  getApi("RedisModule_CreateCommand", &CreateCommand);
  getApi("RedisModule_WrongArity", &WrongArity);
  getApi("RedisModule_OpenKey", &OpenKey);
  getApi("RedisModule_CloseKey", &CloseKey);
  getApi("RedisModule_StringSet", &StringSet);
  getApi("RedisModule_StringDMA", &StringDMA);
  getApi("RedisModule_ReplyWithStringBuffer", &ReplyWithStringBuffer);
  getApi("RedisModule_ReplyWithSimpleString", &ReplyWithSimpleString);
  getApi("RedisModule_ReplyWithNull", &ReplyWithNull);
  setAttributes(context, "tiny", 1, 1);
  return CreateCommand(context, "TINY.GET", get, "readonly", 1, 1, 1) ||
         CreateCommand(context, "TINY.SET", set, "write deny-oom", 1, 1, 1) ||
         CreateCommand(context, "TINY.LATE", get, "readonly", 2, 2, 1) ||
         CreateCommand(context, "TINY.SILENT", set, "write deny-oom", 0, 0, 0) ||
         CreateCommand(context, "TINY.ADMIN", get, "admin", 1, 1, 1);
}
