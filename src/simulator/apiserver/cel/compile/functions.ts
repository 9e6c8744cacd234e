import { once } from '../../../../base/once.ts';
import type { Type } from './types.ts';

/** One way to call a function. The first argument of a member's is what stands before the dot. */
export interface Overload {
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
}

/** The ways to call a function; undefined when there is none of the name. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  return functions().get(name);
}

const functions = once(readTable);

/**
 * Name, then its overloads: `(int,int)int` or, called on a value, `string.(string)bool`. Single capitals are parameters.
 * Source: cel-go common/stdlib/standard.go, ext/{strings,sets}.go, cel/library.go (optional types);
 * staging/src/k8s.io/apiserver/pkg/cel/library/*.go, in the set of pkg/cel/environment/base.go.
 */
const ORDERED =
  '(bool,bool)bool (int,int)bool (int,double)bool (int,uint)bool (uint,uint)bool (uint,double)bool (uint,int)bool (double,double)bool (double,int)bool (double,uint)bool (string,string)bool (bytes,bytes)bool (timestamp,timestamp)bool (duration,duration)bool';
const TIME_PART = 'timestamp.()int timestamp.(string)int';
const CLOCK_PART = `${TIME_PART} duration.()int`;
const COMPARABLE: readonly string[] = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const FORMATS: readonly string[] = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];

function table(): readonly string[] {
  return [
    '_?_:_ (bool,A,A)A',
    '_&&_ (bool,bool)bool',
    '_||_ (bool,bool)bool',
    '!_ (bool)bool',
    '_==_ (A,A)bool',
    '_!=_ (A,A)bool',
    ...['<', '<=', '>', '>='].map((sign) => `_${sign}_ ${ORDERED}`),
    '_+_ (bytes,bytes)bytes (double,double)double (duration,duration)duration (duration,timestamp)timestamp (timestamp,duration)timestamp (int,int)int (list(A),list(A))list(A) (string,string)string (uint,uint)uint',
    '_-_ (double,double)double (duration,duration)duration (int,int)int (timestamp,duration)timestamp (timestamp,timestamp)duration (uint,uint)uint',
    '_*_ (double,double)double (int,int)int (uint,uint)uint',
    '_/_ (double,double)double (int,int)int (uint,uint)uint',
    '_%_ (int,int)int (uint,uint)uint',
    '-_ (double)double (int)int',
    '_[_] (list(A),int)A (map(A,B),A)B (optional_type(list(A)),int)optional_type(A) (optional_type(map(A,B)),A)optional_type(B)',
    '_[?_] (list(A),int)optional_type(A) (map(A,B),A)optional_type(B) (optional_type(list(A)),int)optional_type(A) (optional_type(map(A,B)),A)optional_type(B)',
    '@in (A,list(A))bool (A,map(A,B))bool',
    'size (bytes)int bytes.()int (list(A))int list(A).()int (map(A,B))int map(A,B).()int (string)int string.()int',
    'type (A)type(A)',
    'bool (bool)bool (string)bool',
    'bytes (bytes)bytes (string)bytes',
    'double (double)double (int)double (string)double (uint)double',
    'dyn (A)dyn',
    'duration (duration)duration (int)duration (string)duration',
    'int (int)int (double)int (duration)int (string)int (timestamp)int (uint)int',
    'uint (uint)uint (double)uint (int)uint (string)uint',
    'string (string)string (bool)string (bytes)string (double)string (duration)string (int)string (timestamp)string (uint)string (net.IP)string (net.CIDR)string',
    'timestamp (timestamp)timestamp (int)timestamp (string)timestamp',
    'contains string.(string)bool',
    'endsWith string.(string)bool',
    'startsWith string.(string)bool',
    'matches (string,string)bool string.(string)bool',
    ...['getFullYear', 'getMonth', 'getDayOfYear', 'getDayOfMonth', 'getDate', 'getDayOfWeek'].map((name) => `${name} ${TIME_PART}`),
    ...['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'].map((name) => `${name} ${CLOCK_PART}`),
    'charAt string.(int)string',
    'indexOf string.(string)int string.(string,int)int list(A).(A)int',
    'lastIndexOf string.(string)int string.(string,int)int list(A).(A)int',
    'lowerAscii string.()string',
    'upperAscii string.()string',
    'trim string.()string',
    'replace string.(string,string)string string.(string,string,int)string',
    'split string.(string)list(string) string.(string,int)list(string)',
    'substring string.(int)string string.(int,int)string',
    'format string.(list(dyn))string',
    'join list(string).()string list(string).(string)string',
    'strings.quote (string)string',
    'sets.contains (list(A),list(A))bool',
    'sets.equivalent (list(A),list(A))bool',
    'sets.intersects (list(A),list(A))bool',
    'optional.of (A)optional_type(A)',
    'optional.ofNonZeroValue (A)optional_type(A)',
    'optional.none ()optional_type(A)',
    'value optional_type(A).()A',
    'hasValue optional_type(A).()bool',
    'or optional_type(A).(optional_type(A))optional_type(A)',
    'orValue optional_type(A).(A)A',
    ...['isSorted', 'min', 'max'].map(
      (name) => `${name} ${COMPARABLE.map((type) => `list(${type}).()${name === 'isSorted' ? 'bool' : type}`).join(' ')}`,
    ),
    `sum ${['int', 'uint', 'double', 'duration'].map((type) => `list(${type}).()${type}`).join(' ')}`,
    'find string.(string)string',
    'findAll string.(string)list(string) string.(string,int)list(string)',
    'url (string)kubernetes.URL',
    'isURL (string)bool',
    ...['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'].map((name) => `${name} kubernetes.URL.()string`),
    'getQuery kubernetes.URL.()map(string,list(string))',
    ...authorization(),
    ...quantities(),
    ...addresses(),
    'format.named (string)optional_type(kubernetes.NamedFormat)',
    ...FORMATS.map((name) => `format.${name} ()kubernetes.NamedFormat`),
    'validate kubernetes.NamedFormat.(string)optional_type(list(string))',
    'jsonpatch.escapeKey (string)string',
  ];
}

function authorization(): readonly string[] {
  const [all, group, resource, path, decision] = ['Authorizer', 'GroupCheck', 'ResourceCheck', 'PathCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  );
  return [
    `path ${all}.(string)${path}`,
    `group ${all}.(string)${group}`,
    `serviceAccount ${all}.(string,string)${all}`,
    `resource ${group}.(string)${resource}`,
    `check ${path}.(string)${decision} ${resource}.(string)${decision}`,
    ...['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map((name) => `${name} ${resource}.(string)${resource}`),
    `allowed ${decision}.()bool`,
    `errored ${decision}.()bool`,
    `reason ${decision}.()string`,
    `error ${decision}.()string`,
  ];
}

function quantities(): readonly string[] {
  const [amount, version] = ['kubernetes.Quantity', 'kubernetes.Semver'];
  const same = (name: string, result: string): string => `${name} ${amount}.(${amount})${result} ${version}.(${version})${result}`;
  return [
    `quantity (string)${amount}`,
    'isQuantity (string)bool',
    `sign ${amount}.()int`,
    `isInteger ${amount}.()bool`,
    `asInteger ${amount}.()int`,
    `asApproximateFloat ${amount}.()double`,
    ...['add', 'sub'].map((name) => `${name} ${amount}.(${amount})${amount} ${amount}.(int)${amount}`),
    same('isLessThan', 'bool'),
    same('isGreaterThan', 'bool'),
    same('compareTo', 'int'),
    `semver (string)${version} (string,bool)${version}`,
    'isSemver (string)bool (string,bool)bool',
    ...['major', 'minor', 'patch'].map((name) => `${name} ${version}.()int`),
  ];
}

function addresses(): readonly string[] {
  return [
    'ip (string)net.IP net.CIDR.()net.IP',
    'isIP (string)bool',
    'ip.isCanonical (string)bool',
    'family net.IP.()int',
    ...['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].map(
      (name) => `${name} net.IP.()bool`,
    ),
    'cidr (string)net.CIDR',
    'isCIDR (string)bool',
    'containsIP net.CIDR.(string)bool net.CIDR.(net.IP)bool',
    'containsCIDR net.CIDR.(string)bool net.CIDR.(net.CIDR)bool',
    'masked net.CIDR.()net.CIDR',
    'prefixLength net.CIDR.()int',
  ];
}

function readTable(): ReadonlyMap<string, readonly Overload[]> {
  return new Map(
    table().map((line): [string, readonly Overload[]] => {
      const [name = '', ...overloads] = line.split(' ');
      return [name, overloads.map(readOverload)];
    }),
  );
}

function readOverload(text: string): Overload {
  const member = /^[^(].*\.\(/.test(text);
  const open = member ? text.indexOf('.(') + 1 : 0;
  const close = closingOf(text, open);
  const own = text.slice(open + 1, close);
  return {
    member,
    args: [...(member ? [readType(text.slice(0, open - 1))] : []), ...(own === '' ? [] : partsOf(own).map(readType))],
    result: readType(text.slice(close + 1)),
  };
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
    if (text[at] !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

export function readType(text: string): Type {
  const open = text.indexOf('(');
  return open === -1 ? { name: text } : { name: text.slice(0, open), parts: partsOf(text.slice(open + 1, -1)).map(readType) };
}
