/** As far as they are used, of the nodes of highlighted code. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: Node[];
}

const ignored = (children: Node[]): Node & { tagName: string; properties: object } => ({
  type: "element",
  tagName: "span",
  properties: { class: "vp-copy-ignore" },
  children,
});

const textOf = ({ value = "", children = [] }: Node): string => value + children.map(textOf).join("");

/** A line without the characters before its command, which stand in its first text. */
function withPromptApart({ children = [], ...line }: Node): Node {
  const [first, ...others] = children;
  if (first === undefined) return line;
  if (first.value === undefined) return { ...line, children: [withPromptApart(first), ...others] };
  const prompt: Node = { type: "text", value: first.value.slice(0, PROMPT.length) };
  return { ...line, children: [ignored([prompt]), { ...first, value: first.value.slice(PROMPT.length) }, ...others] };
}

const PROMPT = "$ ";

/**
 * The copy button of a `console` block takes its commands alone: VitePress leaves out what has this class. What the commands
 * print, and the prompt, is for reading.
 */
export const copiesCommands = {
  name: "copies commands",
  code(this: { options: { lang: string } }, code: { children: Node[] }): void {
    if (this.options.lang !== "console") return;
    const lines = code.children.filter(({ type }) => type === "element");
    let isCommand = false;
    let hasCommand = false;
    code.children = lines.flatMap((line, index) => {
      const text = textOf(line);
      // A command goes on after a line that ends so.
      const isContinued: boolean = isCommand && /\\$/.test(textOf(lines[index - 1] ?? line));
      isCommand = isContinued || text.startsWith(PROMPT);
      const lineFeed: Node[] = index > 0 ? [{ type: "text", value: "\n" }] : [];
      if (!isCommand) return [ignored([...lineFeed, line])];
      const before = hasCommand ? lineFeed : [ignored(lineFeed)];
      hasCommand = true;
      return [...before, isContinued ? line : withPromptApart(line)];
    });
  },
};
