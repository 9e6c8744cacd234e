import type { Dot, Picture } from '../picture.ts';
import { PLACES } from '../picture.ts';

interface Moving {
  x: number;
  y: number;
  size: number;
  dot: Dot;
}

const [HEAD, ASIDE, MOST_SIZE, LEAST_ROW] = [18, 92, 14, 18];

/** Draws all pods by stage and node: they glide to where they belong. */
export class PodPicture {
  readonly #canvas: HTMLCanvasElement;
  readonly #pen: CanvasRenderingContext2D;
  readonly #moving = new Map<string, Moving>();
  readonly #targets = new Map<string, Moving>();
  #picture: Picture | undefined;
  #colors: Readonly<Record<string, string>> = {};
  #isDrawing = false;
  /** Pictures drawn, for who measures. */
  drawn = 0;

  constructor(canvas: HTMLCanvasElement) {
    const pen = canvas.getContext('2d');
    if (pen === null) throw new TypeError('this browser cannot draw');
    this.#canvas = canvas;
    this.#pen = pen;
  }

  show(picture: Picture): void {
    this.#picture = picture;
    this.#place(picture);
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** The pod at a place of the page. */
  at(x: number, y: number): Dot | undefined {
    const box = this.#canvas.getBoundingClientRect();
    for (const one of this.#moving.values())
      if (Math.abs(one.x - (x - box.left)) <= one.size && Math.abs(one.y - (y - box.top)) <= one.size) return one.dot;
    return undefined;
  }

  #place({ dots, nodes }: Picture): void {
    const [width, columns] = [this.#canvas.clientWidth - ASIDE, nodes.length + 1];
    const cells = new Map<string, Dot[]>();
    for (const dot of dots) {
      const key = `${dot.place} ${dot.node}`;
      cells.set(key, [...(cells.get(key)?.length === undefined ? [] : (cells.get(key) ?? [])), dot]);
    }
    const room = width / columns - 6;
    const size = sizeFor(
      [...cells.values()].map((cell) => cell.length),
      room,
      this.#canvas.clientHeight - HEAD,
    );
    const across = Math.max(1, Math.floor(room / size));
    let top = HEAD;
    this.#targets.clear();
    for (let place = 0; place < PLACES.length; place++) {
      let rows = 1;
      for (let node = -1; node < nodes.length; node++) {
        const cell = cells.get(`${place} ${node}`) ?? [];
        rows = Math.max(rows, Math.ceil(cell.length / across));
        for (const [index, dot] of cell.entries())
          this.#targets.set(`${dot.namespace}/${dot.name}`, {
            x: ASIDE + (node + 1) * (width / columns) + 3 + ((index % across) + 0.5) * size,
            y: top + (Math.floor(index / across) + 0.5) * size + 2,
            size: size / 2,
            dot,
          });
      }
      this.#rows[place] = top;
      top += Math.max(LEAST_ROW, rows * size + 4);
    }
  }

  readonly #rows: number[] = [];

  #draw(): void {
    const [pen, canvas, picture] = [this.#pen, this.#canvas, this.#picture];
    const scale = globalThis.devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      this.#colors = colorsOf(canvas);
    }
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (picture !== undefined) this.#drawGrid(picture, width);
    const isMoving = this.#drawDots();
    this.drawn++;
    this.#isDrawing = isMoving;
    if (isMoving) requestAnimationFrame(() => this.#draw());
  }

  #drawGrid({ nodes }: Picture, width: number): void {
    const [pen, colors] = [this.#pen, this.#colors];
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = colors['muted'] ?? '';
    for (const [at, { name, ready }] of [{ name: 'no node', ready: true }, ...nodes].entries()) {
      const step = (width - ASIDE) / (nodes.length + 1);
      pen.fillStyle = (ready ? colors['muted'] : colors['blocked']) ?? '';
      pen.fillText(`${ready ? '' : '✖ '}${name}`, ASIDE + at * step + 3, 12, step - 6);
    }
    pen.strokeStyle = colors['panel'] ?? '';
    for (const [at, place] of PLACES.entries()) {
      const top = this.#rows[at] ?? 0;
      pen.fillStyle = colors['muted'] ?? '';
      pen.fillText(place, 2, top + 13, ASIDE - 6);
      pen.beginPath();
      pen.moveTo(0, top);
      pen.lineTo(width, top);
      pen.stroke();
    }
  }

  /** Whether something is still on its way. */
  #drawDots(): boolean {
    let isMoving = false;
    for (const key of this.#moving.keys()) if (!this.#targets.has(key)) this.#moving.delete(key);
    for (const [key, target] of this.#targets) {
      const one = this.#moving.get(key) ?? { ...target };
      this.#moving.set(key, one);
      one.dot = target.dot;
      for (const field of ['x', 'y', 'size'] as const) {
        const left = target[field] - one[field];
        if (Math.abs(left) > 0.5) isMoving = true;
        one[field] += Math.abs(left) > 0.5 ? left * 0.2 : left;
      }
      this.#drawDot(one);
    }
    return isMoving;
  }

  /** A mark beside the colour tells what is bad. */
  #drawDot({ x, y, size, dot }: Moving): void {
    const pen = this.#pen;
    const half = Math.max(1, size - 1);
    pen.fillStyle = this.#colors[dot.standing] ?? '';
    if (dot.standing === 'waiting') {
      pen.beginPath();
      pen.arc(x, y, half, 0, 7);
      pen.fill();
    } else pen.fillRect(x - half, y - half, half * 2, half * 2);
    if (dot.standing !== 'bad' || half < 3) return;
    pen.strokeStyle = this.#colors['bg'] ?? '';
    pen.beginPath();
    pen.moveTo(x - half / 2, y - half / 2);
    pen.lineTo(x + half / 2, y + half / 2);
    pen.moveTo(x + half / 2, y - half / 2);
    pen.lineTo(x - half / 2, y + half / 2);
    pen.stroke();
  }
}

/** Dots as large as all of them fit. */
function sizeFor(counts: readonly number[], width: number, height: number): number {
  for (let size = MOST_SIZE; size > 3; size--) {
    const across = Math.max(1, Math.floor(width / size));
    let needed = PLACES.length * LEAST_ROW;
    for (const count of counts) needed += Math.max(0, Math.ceil(count / across) * size - LEAST_ROW);
    if (needed <= height) return size;
  }
  return 3;
}

function colorsOf(canvas: HTMLElement): Readonly<Record<string, string>> {
  const style = getComputedStyle(canvas);
  const of = (name: string): string => style.getPropertyValue(`--${name}`);
  return {
    muted: of('muted'),
    panel: of('panel'),
    bg: of('bg'),
    blocked: of('blocked'),
    good: of('passed'),
    bad: of('blocked'),
    waiting: of('waiting'),
  };
}
