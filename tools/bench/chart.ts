/** A picture of lines, in panels side by side with the same axes: `x` is logarithmic. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly { x: number; y: number }[] }[];
}

const [WIDTH, HEIGHT, COLUMNS] = [210, 150, 3];
const INSET = { left: 34, right: 14, top: 24, bottom: 22 };
const LEGEND = 24;
/** Readable on white and on black. */
const COLORS = ["#2f81f7", "#d4761f", "#2da44e"];
const GREY = "#757f89";

/** An SVG without a background. @param title is read to who can't see it, too */
export function plot(title: string, panels: readonly Panel[]): string {
  const points = panels.flatMap(({ lines }) => lines.flatMap((line) => line.points));
  const xs = [...new Set(points.map(({ x }) => x))].toSorted((a, b) => a - b);
  const [least = 1, most = 1] = [xs[0], xs.at(-1)];
  const top = Math.ceil(2 * Math.max(1, ...points.map(({ y }) => y)) + 0.2) / 2;
  const xOf = (x: number) =>
    INSET.left + (Math.log(x / least) / Math.log(most / least || 1)) * (WIDTH - INSET.left - INSET.right);
  const yOf = (y: number) => HEIGHT - INSET.bottom - (y / top) * (HEIGHT - INSET.top - INSET.bottom);
  const text = (x: number, y: number, words: string, anchor = "middle", fill = GREY) =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${words}</text>`;
  const level = (y: number, stroke: string) =>
    `<path d="M${INSET.left} ${yOf(y).toFixed(1)}H${WIDTH - INSET.right}" stroke="${GREY}" stroke-width="${stroke}"/>`;
  const drawn = panels.map(({ title: heading, lines }, index) => {
    const marks = lines.flatMap(({ points: of }, line) => {
      const at = of.map(({ x, y }) => `${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)}`);
      const dots = at.map((place) => `M${place}h0`).join("");
      return [
        `<path d="M${at.join("L")}" stroke="${COLORS[line]}" stroke-width="1.5"/>`,
        `<path d="${dots}" stroke="${COLORS[line]}" stroke-width="5" stroke-linecap="round"/>`,
      ].filter(() => at.length > 0);
    });
    const levels = Array.from({ length: top * 2 + 1 }, (_, n) => n / 2);
    const left = (index % COLUMNS) * WIDTH;
    const down = LEGEND + Math.floor(index / COLUMNS) * HEIGHT;
    return [
      `<g transform="translate(${left} ${down})">`,
      text(INSET.left, 14, heading, "start"),
      ...levels.map((y) => level(y, y === 1 ? "1.2" : "0.3")),
      ...levels.filter(Number.isInteger).map((y) => text(INSET.left - 5, yOf(y) + 4, String(y), "end")),
      ...xs.map((x) => text(xOf(x), HEIGHT - 6, x < 1000 ? String(x) : `${x / 1000}k`)),
      ...marks,
      "</g>",
    ].join("\n");
  });
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const legend = names.map((name, index) => text(INSET.left + index * 80, 14, `● ${name}`, "start", COLORS[index]));
  legend.push(text(COLUMNS * WIDTH - INSET.right, 14, title, "end"));
  const size = `${COLUMNS * WIDTH} ${LEGEND + Math.ceil(panels.length / COLUMNS) * HEIGHT}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" font-family="sans-serif" font-size="11" fill="none" role="img" aria-label="${title}">
${[...legend, ...drawn].join("\n")}
</svg>
`;
}
