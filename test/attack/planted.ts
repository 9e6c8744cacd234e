import type { Prng } from '../../src/base/prng.ts';
import { pick } from './mutation.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Lines of a log, an event or a command with a secret in each of the ways they are met; § is the secret, ¶ its base64. */
const LINES: readonly string[] = [
  'password=§',
  'DB_PASSWORD=§ mode=dark',
  'PASSWORD: §',
  'level=error msg="cannot connect" password="§" user=shop',
  '{"level":"error","token":"§","msg":"refused"}',
  String.raw`"{\"password\":\"§\"}"`,
  'dial postgres://shop:§@db.shop:5432/shop?sslmode=disable: connection refused',
  'redis://:§@cache:6379/0: i/o timeout',
  'shop:§@tcp(db:3306)/shop: connection refused',
  'Server=db;User Id=shop;Pwd=§;Database=shop',
  'Authorization: Bearer §',
  'authorization: Basic ¶',
  'got Bearer § from 10.0.0.7',
  'X-Api-Key: §',
  'Cookie: session=§',
  'GET /?access_token=§&page=2 401',
  'mysql --password § -h db',
  'exec: ["mysql","--password=§","-h","db"]',
  'docker login -u shop -p § registry.example',
  'curl -u shop:§ https://api.example',
  '"auth":"¶"',
  'client_secret=§',
  'JWT_SECRET=§',
  'AWS_SECRET_ACCESS_KEY=§',
  'apiKey: "§"',
  '--token § --verbose',
];
const ENV: readonly string[] = [
  'DB_PASSWORD',
  'API_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'REDIS_PASS',
  'CLIENT_SECRET',
  'MYSQL_PWD',
  'SESSION_KEY',
];

export interface Planted {
  /** What must not be seen again. */
  readonly secrets: readonly string[];
  /** A line with the secret. */
  readonly line: () => string;
  readonly env: () => { readonly name: string; readonly value: string };
}

/** A secret that is in nothing else, and ways to put it somewhere. */
export function planted(prng: Prng): Planted {
  const secret = `${prng.text(LETTERS, 6)}7Q${prng.text(LETTERS, 10)}`;
  const base64 = Buffer.from(`shop:${secret}`).toString('base64');
  return {
    secrets: [secret, base64],
    line: () => pick(LINES, prng).replaceAll('§', secret).replaceAll('¶', base64),
    env: () => ({ name: pick(ENV, prng), value: secret }),
  };
}
