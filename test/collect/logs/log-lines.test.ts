import { describe, expect, it } from 'vitest';
import { plainLine, shapeOf, tellsTrouble } from '../../../src/collect/logs/log-lines.ts';

describe('a log line', () => {
  it.each([
    ['2026-01-15T11:59:40.974305159+08:00 cannot open database', 'cannot open database'],
    ['[pod/web-1/web] 2026-01-15T11:59:40Z ready', 'ready'],
    ['\u001b[31mERROR\u001b[0m no route', 'ERROR no route'],
    ['{"level":"error","msg":"no database","error":"dial tcp: timeout"}', 'no database: dial tcp: timeout'],
    ['{"message":"listening on port 8080","severity":"info"}', 'listening on port 8080'],
    ['{"message":"cannot boot","error.message":"no lock"}', 'cannot boot: no lock'],
    [`{"msg":"no database","stacktrace":"${'at x\\n'.repeat(900)}"}`, 'no database'],
    ['{"msg":"record","record":{"message":"could not open file"}}', 'record: could not open file'],
    ['{"attr":{"message":{"msg":"disk is full","error_str":"No space left"}}}', 'disk is full: No space left'],
    ['{"error":{"reason":"no shard"}}', 'no shard'],
    ['{"error":{"message":"no lock","reason":"no shard"}}', 'no lock'],
    ['{"error":"no lock","err":"no lock","msg":""}', 'no lock'],
    ['{"attr":"a","stack":"b","exception":"c","record":"d","error.message":"e","err":"f","event":"g","log":"h"}', 'h: g: f: e: d: c: b: a'],
    ['{"level":"info"}', '{"level":"info"}'],
    ['  {"msg":"ready"}  ', 'ready'],
    ['[pod/web-1/web] ready', 'ready'],
    ['[pods] ready', '[pods] ready'],
    ['{"error":"no route","msg":"save failed","message":"started"}', 'started: save failed: no route'],
    ['{"msg":"Storage","attr":{"message":{"msg":"read"}}}', 'Storage'],
    ['{"msg":"Storage","attr":{"message":{"error_str":"I/O error"}}}', 'Storage'],
    ['{not json', '{not json'],
    ['{"time":1}', '{"time":1}'],
  ])('%j is read as its program meant it', (line, words) => {
    expect(plainLine(line)).toBe(words);
  });

  it.each([
    'FATAL: no table',
    'ValueError: bad port',
    'java.net.ConnectException: Connection refused',
    'exit status 137',
    'dial tcp: i/o timeout',
  ])('%j tells of trouble', (line) => {
    expect(tellsTrouble(line)).toBe(true);
  });

  it.each(['started in 3.1 seconds', "Channel 'web.errorChannel' has 1 subscriber", 'GET /healthz 200'])('%j does not', (line) => {
    expect(tellsTrouble(line)).toBe(false);
  });

  it('has the shape of another that differs in numbers and ids only', () => {
    expect(shapeOf('retry 3 of order 7f3a9b2c1d')).toBe(shapeOf('retry 14 of order 00aa11bb22'));
    expect(shapeOf('retry 3 of order 7f3a9b2c1d')).toBe('retry # of order #');
    expect(shapeOf('decade of facade')).toBe('decade of facade');
    expect(shapeOf('retry 3 of order 7F3A9B2C1D, abcdef')).toBe('retry # of order #, abcdef');
  });

  it('is cut before anything looks at it', () => {
    expect(plainLine('x'.repeat(100_000))).toBe('x'.repeat(2000));
    expect(plainLine(`${'x'.repeat(1999)} y`)).toBe('x'.repeat(1999));
    expect(plainLine(`{"msg":"${'x'.repeat(3000)}"}`)).toHaveLength(2000);
    const long = `{"stacktrace":"${'x'.repeat(16_000)}","msg":"no database"}`;
    expect(plainLine(long)).toBe('no database');
    expect(plainLine(`{"stacktrace":"${'x'.repeat(17_000)}","msg":"no database"}`)).toMatch(/^\{"stacktrace":"x+$/);
  });
});
