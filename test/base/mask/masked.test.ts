import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { masked } from '../../../src/base/mask/masked.ts';

/** Stands where a text has §. */
const VALUE = 'Tr0ub4dor';
const BASE64 = Buffer.from(`shop:${VALUE}`).toString('base64');

const PASSWORDS: readonly (readonly [string, string])[] = [
  ['password=§', 'password=***'],
  ['PASSWORD: §', 'PASSWORD: ***'],
  ['DB_PASSWORD=§ mode=dark', 'DB_PASSWORD=*** mode=dark'],
  ['spring.datasource.password=§', 'spring.datasource.password=***'],
  ['level=info msg="no login" password="§ with blanks" user=shop', 'level=info msg="no login" password="***" user=shop'],
  ['\u001B[36mpassword\u001B[0m=§ user=shop', '\u001B[36mpassword\u001B[0m=*** user=shop'],
  ['{"level":"info","token":"§","n":1}', '{"level":"info","token":"***","n":1}'],
  [String.raw`"{\"password\":\"§\",\"user\":\"shop\"}"`, String.raw`"{\"password\":\"***\",\"user\":\"shop\"}"`],
  ['{"password": "§', '{"password": "***'],
  ['postgres://shop:§@db.shop:5432/shop?sslmode=disable', 'postgres://shop:***@db.shop:5432/shop?sslmode=disable'],
  ['redis://:§@cache:6379/0', 'redis://:***@cache:6379/0'],
  ['amqp://shop:p@ss/§@mq:5672/', 'amqp://shop:***@mq:5672/'],
  ['shop:§@tcp(db:3306)/shop', 'shop:***@tcp(db:3306)/shop'],
  ['jdbc:mysql://db/shop?user=shop&password=§&ssl=1', 'jdbc:mysql://db/shop?user=shop&password=***&ssl=1'],
  ['Server=db;User Id=shop;Pwd=§;Database=shop', 'Server=db;User Id=shop;Pwd=***;Database=shop'],
  ['AccountName=shop;AccountKey=§§==;EndpointSuffix=core.example', 'AccountName=shop;AccountKey=***;EndpointSuffix=core.example'],
  ['Authorization: Bearer §', 'Authorization: Bearer ***'],
  ['Authorization:[Bearer §]', 'Authorization:[Bearer ***]'],
  [`authorization: Basic ${BASE64}`, 'authorization: Basic ***'],
  ['authorization: token §', 'authorization: token ***'],
  ['{"Authorization":"Bearer §"}', '{"Authorization":"Bearer ***"}'],
  [`got Basic ${BASE64} from a client`, 'got Basic *** from a client'],
  ["curl -H 'X-Api-Key: §' https://api.example", "curl -H 'X-Api-Key: ***' https://api.example"],
  ['Cookie: session=§; theme=§', 'Cookie: ***'],
  ['https://api.example/?access_token=§&page=2', 'https://api.example/?access_token=***&page=2'],
  ['mysql --password § -h db', 'mysql --password *** -h db'],
  ['["mysql","--password","§","-h","db"]', '["mysql","--password","***","-h","db"]'],
  ['- --password\n- §\n- -h', '- --password\n- ***\n- -h'],
  ['mysqldump -h db -p§ shop', 'mysqldump -h db -p*** shop'],
  ['docker login -u shop -p § registry.example', 'docker login -u shop -p *** registry.example'],
  ['curl -u shop:§ https://api.example', 'curl -u shop:*** https://api.example'],
  ['redis-cli -h cache -a § ping', 'redis-cli -h cache -a *** ping'],
  ['- name: DB_PASSWORD\n  value: §\n', '- name: DB_PASSWORD\n  value: ***\n'],
  ['{"name":"DB_PASSWORD","value":"§"}', '{"name":"DB_PASSWORD","value":"***"}'],
  ['{Name:DB_PASSWORD,Value:§,ValueFrom:nil}', '{Name:DB_PASSWORD,Value:***,ValueFrom:nil}'],
  ['      DB_PASSWORD:   §\n      MODE:   dark', '      DB_PASSWORD:   ***\n      MODE:   dark'],
  [
    `{"auths":{"r.example":{"username":"shop","password":"§","auth":"${BASE64}"}}}`,
    '{"auths":{"r.example":{"username":"shop","password":"***","auth":"***"}}}',
  ],
  ['password: |\n  §\n  §\nuser: shop', 'password: |\n  ***\nuser: shop'],
  ['ENV[PASSWORD]=§, ENV[MODE]=dark', 'ENV[PASSWORD]=***, ENV[MODE]=dark'],
  ['(password=§, user=shop)', '(password=***, user=shop)'],
  ['client_secret=§&grant_type=password', 'client_secret=***&grant_type=password'],
  ['JWT_SECRET: §', 'JWT_SECRET: ***'],
  ['secret=§', 'secret=***'],
];

/** Written in two pieces, so that no scanner takes them for real ones. */
const TOKENS: readonly string[] = [
  ['eyJ', 'hbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3ZWIifQ.c2lnbmF0dXJl'],
  ['eyJ', 'hbGciOiJSUzI1NiJ9.eyJzd'],
  ['AKIA', 'IOSFODNN7EXAMPLE'],
  ['wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY'],
  ['AIza', 'SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q'],
  ['ya29', '.a0AfH6SMBx1b2C3d4'],
  ['ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['github', '_pat_11ABCDEFG0abcdefghij'],
  ['glpat', '-abcdefghij0123456789'],
  ['xoxb', '-123456789012-abcdefABCDEF'],
  ['sk_live', '_4eC39HqLyjWDarjtT1zdp7dc'],
  ['hvs', '.CAESIJ1b2C3d4E5f6G7h8'],
  ['npm', '_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['sha256', '~A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v'],
  ['$2b', '$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW'],
].map((pieces) => pieces.join(''));

const KEPT: readonly string[] = [
  'password authentication failed for user "shop"',
  'FATAL:  password authentication failed for user "shop"',
  "Access denied for user 'web'@'10.0.0.7' (using password: YES)",
  'error: password: must be at least 8 characters',
  'the flag --password is required',
  'secret "db-password" not found',
  "couldn't find key password in Secret shop/db",
  'references non-existent secret key: password',
  'MountVolume.SetUp failed for volume "token" : secret "web-token" not found',
  'err="secret not found" secret="shop/web-tls"',
  'secretName: db-password',
  'secret: web-tls',
  'volumes: [{ name: keys, secret: { secretName: web-keys, optional: true } }]',
  '"secretKeyRef":{"key":"password","name":"db"}',
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      key: password',
  "      DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
  'password:  12 bytes\ntoken:  1024 bytes',
  'DB_PASSWORD_FILE=/run/secrets/db',
  'PWD=/srv/shop OLDPWD=/',
  'mkdir /etc/passwd: not a directory',
  'failed to fetch anonymous token: unexpected status from GET request to https://registry.example/token?scope=repository%3Ashop%3Apull: 403 Forbidden',
  'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  'WWW-Authenticate: Bearer realm="https://auth.example/token",service="registry.example"',
  'no basic auth credentials; Basic authentication required',
  'invalid bearer token, token lookup failed: token: expired',
  'kubectl create secret docker-registry regcred --docker-username=<user> --docker-password=<token>',
  'kubectl create secret generic db --from-literal=password=$(cat password.txt)',
  'serviceAccountToken: { expirationSeconds: 3607, path: token }',
  'docker-pullable://nginx@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'registry.example:5000/shop/web:1.25@sha256:0123456789abcdef0123456789abcdef',
  'http://10.0.0.7:8080/healthz and https://example.com/a@b?x=c:d@e',
  'kubernetes.io~csi/pvc-0d05207a-1111-2222-3333-444455556666/mount',
  'containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'Controlled By:  ReplicaSet/emailservice-c86b9b8f6',
  'Version 1.27.3-df538c2279a633544e6c0961a03ab772729933be-Clean',
  'events "worker.17a3b2c4d5e6f708" is forbidden',
  'bypass=true tokens=512 max_tokens: 4096 compass: north sort by key=name',
  'spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.key',
];

const PEM = ['-----BEGIN RSA PRIVATE ', 'KEY-----'].join('');
const PEM_END = PEM.replace('BEGIN', 'END');
const BODY = 'MIIEpAIBAAKCAQEAx7Jr0W3f8Gkq2hVtY5b1nQ9cZs4LdPoE6uTmXvRwAyKiHjNg';

describe('what is masked', () => {
  it.each(PASSWORDS)('%s', (text, expected) => {
    expect(text).toMatch(new RegExp(`§|${BASE64}`));
    expect(masked(text.replaceAll('§', VALUE))).toBe(expected);
  });

  it.each(TOKENS)('is a token by its shape alone: %s', (token) => {
    expect(masked(`got ${token} from a client, and ends`)).toBe('got *** from a client, and ends');
    expect(masked(`["${token}"]`)).toBe('["***"]');
  });

  it.each([
    ['on lines of its own', `${PEM}\n${BODY}\n${BODY}\nAb1=\n${PEM_END}`],
    ['on one line', `${PEM} ${BODY} ${BODY} ${PEM_END}`],
    ['in JSON', String.raw`${PEM}\n${BODY}\nAb1=\n${PEM_END}\n`.replace(/\\n$/, '')],
    ['with a head', `${PEM}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123\n\n${BODY}\n${PEM_END}`],
    ['cut off at its end', `${PEM}\n${BODY}\n${BODY.slice(0, 20)}`],
    ['cut off at its beginning', `${BODY}\n${BODY}\n${PEM_END}`],
    ['behind the time of each line', `${PEM}\n10:00:01 ${BODY}\n10:00:02 ${BODY.slice(0, 9)}\n10:00:03 ${PEM_END}`],
  ])('is a private key %s', (_, key) => {
    expect(masked(`key: [${key}] and more`)).toBe('key: [(private key)] and more');
  });

  it('is one line of a private key', () => {
    expect(masked(`10:00:01 ${BODY}`)).toBe('10:00:01 ***');
  });
});

describe('what stays readable', () => {
  it.each(KEPT)('%s', (text) => {
    expect(masked(text)).toBe(text);
  });
});

describe('masking', () => {
  it('leaves what is masked as it is', () => {
    for (const [, text] of PASSWORDS) expect(masked(text)).toBe(text);
    expect(masked('key: (private key)')).toBe('key: (private key)');
  });

  it('hides any password, whatever it is made of', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9!#%^*+_~.-]{4,40}$/).filter((text) => /\d/.test(text) && /[A-Z]/.test(text));
    const place = fc.constantFrom(
      'DB_PASSWORD=§',
      'password: § user=shop',
      '{"password":"§"}',
      'tcp://shop:§@db:1',
      '--password=§',
      '"apiKey": "§"',
      'Pwd=§;Database=shop',
      'name: PASSWORD\nvalue: §',
    );
    fc.assert(
      fc.property(password, place, (secret, text) => {
        const given = text.replace('§', () => secret);
        expect(masked(given)).not.toContain(secret);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time that grows with the text alone', () => {
    const seeds = [
      'password=',
      'password="',
      String.raw`password=\"`,
      "password='<",
      '://',
      'a:b@',
      'http://a:b',
      'eyJ',
      'eyJa.',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'Authorization: ',
      'Cookie: a=',
      'Bearer ',
      'mysql -',
      'curl -u ',
      'password: |\n ',
      'password  ',
      'name: PASSWORD,',
      'A1b',
      'a',
      ' ',
      '\\',
      '"',
      '=',
      'SG.a-',
      'LS0tLS1CRUdJTi',
      'token: ',
      '--token ',
      '-token-',
      'password=a,b=',
      '\u001B[1m',
      'password[',
      'sk-',
      '$2a$',
      'secret: a ',
    ];
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(300_000 / seed.length));
      const begun = performance.now();
      masked(text);
      expect(performance.now() - begun, JSON.stringify(seed)).toBeLessThan(20_000);
    }
  });
});
