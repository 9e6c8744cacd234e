import type { Column } from './column.ts';

/** Titles of columns in web consoles and full-screen programs, in the languages these have, by what kubectl calls the column. */
const TITLES: Readonly<Record<string, readonly string[]>> = {
  NAME: ['name', 'pod', 'pod name', '名称', '名字', '名稱', '名前', '이름', '파드', '파드 이름', '容器组', 'имя', 'nombre', 'nom', 'nome'],
  NAMESPACE: ['namespace', 'project', '命名空间', '命名空間', '名前空間', '네임스페이스', '네임 스페이스', '项目', 'пространство имен'],
  STATUS: ['status', 'state', 'phase', '状态', '狀態', 'ステータス', '状態', '상태', 'статус', 'состояние', 'estado', 'statut', 'stato'],
  READY: ['ready', '就绪', '就緒', '準備完了', '준비', '준비됨', 'готовность'],
  RESTARTS: [
    'restarts',
    'restart count',
    '重启次数',
    '重启',
    '重啟次數',
    '再起動',
    '再起動回数',
    '재시작',
    '재시작 횟수',
    'перезапуски',
    'reinicios',
  ],
  AGE: [
    'age',
    'created',
    'creation time',
    '年龄',
    '创建时间',
    '存活时间',
    '存在時間',
    '経過時間',
    '作成日時',
    '생성',
    '생성일',
    '경과 시간',
    'возраст',
  ],
  NODE: ['node', 'host', '节点', '節點', 'ノード', '노드', 'узел', 'nodo', 'nœud'],
  IP: ['ip', 'pod ip', 'ip address', 'ip地址', 'ip 地址', '地址'],
  KIND: ['kind', '类型', '種類', '종류'],
  HEALTH: ['health', '健康状态', '정상 여부'],
  MESSAGE: ['message', 'reason', '信息', '消息', '메시지', 'メッセージ', 'сообщение'],
};

/** Columns that show nothing of what is read here. */
const OTHERS: ReadonlySet<string> = new Set(
  'pf cpu mem %cpu/r %cpu/l %mem/r %mem/l cpu/r cpu/l mem/r mem/l cpu/rl mem/rl containers image images qos group hook labels controlled_by owner vs gpu last_restart readiness_gates nominated_node syncwave sync_wave 操作 镜像 容器 映像 이미지 컨테이너 イメージ'.split(
    ' ',
  ),
);

const BY_TITLE: ReadonlyMap<string, string> = new Map(
  Object.entries(TITLES).flatMap(([column, titles]) => titles.map((title) => [title, column] as const)),
);
const LEAST_COLUMNS = 3;

/**
 * The columns of a title line as screens show it: `State  Name  Image  Ready  Restarts`, `NAME↑ PF READY STATUS`, titles in other
 * languages. Undefined for any other line: each title must be known, with a name and a state among them.
 */
export function screenColumns(text: string): readonly Column[] | undefined {
  if (text.length > 1000 || !/\S\s/.test(text)) return undefined;
  const titles = text.includes('\t') ? tabbed(text) : spaced(text);
  const named = titles.map(({ title, ...place }) => ({ ...place, title: columnOf(title) }));
  if (named.length < LEAST_COLUMNS || named.some(({ title }) => title === undefined)) return undefined;
  const has = (column: string): boolean => named.some(({ title }) => title === column);
  if (!has('NAME') || !(has('STATUS') || has('HEALTH')) || (has('STATUS') && named.length < LEAST_COLUMNS)) return undefined;
  // Beside a health the status is that of a synchronisation.
  return named.map(({ title = '', ...place }) => ({ ...place, title: title === 'STATUS' && has('HEALTH') ? 'SYNC' : title }));
}

/** What kubectl calls a column, or the title itself where it is known but tells nothing. */
function columnOf(title: string): string | undefined {
  const bare = title
    .replace(/[↑↓▲▼]/g, '')
    .trim()
    .toLowerCase();
  return BY_TITLE.get(bare) ?? (OTHERS.has(bare.replaceAll(' ', '_')) ? title : undefined);
}

function tabbed(text: string): readonly Column[] {
  return text.split('\t').map((title, tab) => ({ title, start: 0, tab }));
}

/** Titles stand apart by two blanks; where one blank is enough for a column, words that are titles do. */
function spaced(text: string): readonly Column[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].flatMap((match) => {
    const [title, start] = [match[0], match.index];
    if (columnOf(title) !== undefined) return [{ title, start }];
    return [...title.matchAll(/\S+/g)].map((word) => ({ title: word[0], start: start + word.index }));
  });
}
