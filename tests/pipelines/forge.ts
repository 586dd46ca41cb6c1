/* GitHub and GitLab as the recipes use them: issues and comments, in memory. `gh` is a stand-in that asks this server. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { scripted } from "../harness/commandLine";
import { type Served, serve } from "../harness/serve";

const GH = `for each; do set -- "$@" --data-urlencode "argument=$each"; shift; done
exec curl --fail --silent "$@" --data-urlencode "folder=$PWD" --data-urlencode "NAME=$NAME" --data-urlencode "TITLE=$TITLE" "$FORGE/gh"
`;
const BOT = { login: "github-actions[bot]" };

export class Forge {
  /** Those that are open. */
  issues: { number: number; title: string; body: string }[] = [];
  comments: { id: number; body: string; user: { login: string } }[] = [];
  /** What was written, in order. */
  log: string[] = [];
  #last = 0;

  constructor(readonly served: Served) {}

  /** What the jobs need, with `gh` in the folder of their tools. */
  async environment(tools: string): Promise<Readonly<Record<string, string>>> {
    await scripted(tools, { gh: GH });
    const address = this.served.address;
    const gitlab = { CI_API_V4_URL: address, CI_PROJECT_ID: "7", CI_MERGE_REQUEST_IID: "3", GITLAB_TOKEN: "token" };
    return { FORGE: address, GITHUB_REPOSITORY: "acme/gpu", PULL_REQUEST: "12", ...gitlab };
  }

  open(title: string, body: string): void {
    this.issues.push({ number: ++this.#last, title, body });
    this.log.push(`open ${title}`);
  }

  edit(number: number, body: string): void {
    for (const issue of this.issues.filter((each) => each.number === number)) {
      issue.body = body;
      this.log.push(`edit ${issue.title}`);
    }
  }

  close(number: number): void {
    this.log.push(...this.issues.filter((each) => each.number === number).map(({ title }) => `close ${title}`));
    this.issues = this.issues.filter((each) => each.number !== number);
  }

  comment(body: string, id = ++this.#last, user = BOT): void {
    this.comments = [...this.comments.filter((each) => each.id !== id), { id, body, user }];
  }

  /** The arguments of `gh`, in the folder where it runs. @returns what it prints */
  gh(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): string {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? "";
    const file = (name: string) => readFileSync(join(folder, option(name).replace("body=@", "")), "utf8");
    const select = (input: unknown) =>
      execFileSync("jq", ["--raw-output", option("--jq")], { input: JSON.stringify(input), encoding: "utf8", env });
    const [command, action, number] = args;
    const path = args.find((each) => each.startsWith("repos/acme/gpu/issues/"));
    if (command === "pr" && action === "comment" && number === "12") this.comment(file("--body-file"));
    else if (path === "repos/acme/gpu/issues/12/comments") return select(this.comments);
    else if (path !== undefined) this.comment(file("--field"), Number(/\d+$/.exec(path)?.[0]));
    else if (action === "list") return select(this.issues);
    else if (action === "create") this.open(option("--title"), file("--body-file"));
    else if (action === "edit") this.edit(Number(number), file("--body-file"));
    else if (action === "close") this.close(Number(number));
    else throw new Error(`gh ${args.join(" ")} is not known to this test`);
    return "";
  }

  gitlab(method: string, path: string, form: URLSearchParams): void {
    const number = Number(/\/issues\/(\d+)$/.exec(path)?.[1]);
    if (path === "/projects/7/merge_requests/3/notes") this.comment(form.get("body") ?? "");
    else if (method === "POST") this.open(form.get("title") ?? "", form.get("description") ?? "");
    else if (form.get("state_event") === "close") this.close(number);
    else this.edit(number, form.get("description") ?? "");
  }
}

export async function startForge(): Promise<Forge> {
  const served = await serve(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const { pathname } = new URL(request.url ?? "", "http://forge");
    const { PATH } = process.env;
    try {
      if (pathname === "/gh")
        response.end(
          forge.gh(form.getAll("argument"), form.get("folder") ?? "", { PATH, ...Object.fromEntries(form) }),
        );
      else if (request.method === "GET")
        response.end(JSON.stringify(forge.issues.map(({ number: iid, title }) => ({ iid, title }))));
      else response.end(JSON.stringify(forge.gitlab(request.method ?? "", pathname, form) ?? {}));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const forge = new Forge(served);
  return forge;
}
