import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { type Call, type CallResult, curlOf, send } from "./calls.js";
import { pretty } from "./format.js";
import { Copyable } from "./parts.js";
import type { Addresses } from "./protocol";

/** The addresses of the interfaces, for `curl` commands. */
export const AddressContext = createContext<Addresses>({ baseUrl: "", serverlessUrl: "", graphqlUrl: "" });

/** A button that makes a call, with the equivalent shell command. */
export function Act({ label, call, asks = false }: { label: string; call: Call; asks?: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const [outcome, setOutcome] = useState<CallResult>();
  const addresses = useContext(AddressContext);
  const run = async () => {
    setAsked(false);
    setOutcome(await send(call));
  };
  return (
    <div class="act">
      {isAsked ? (
        <>
          <button type="button" class="danger" onClick={run}>
            Yes, {label.toLowerCase()}
          </button>
          <button type="button" onClick={() => setAsked(false)}>
            No
          </button>
        </>
      ) : (
        <button type="button" onClick={asks ? () => setAsked(true) : run}>
          {label}
        </button>
      )}
      <details>
        <summary>curl</summary>
        <Copyable label={`curl line of: ${label}`} text={curlOf(call, addresses)} />
      </details>
      <p role="status" class={outcome === undefined || outcome.status < 400 ? "quiet" : "refused"}>
        {outcome && `${outcome.status} ${outcome.text.slice(0, 500)}`}
      </p>
    </div>
  );
}

/** A call whose body is written as JSON. */
export function BodyAct({ label, call, body, hint }: { label: string; call: Call; body: unknown; hint: string }) {
  const [text, setText] = useState(() => pretty(body));
  const parsed = parse(text);
  return (
    <div class="body-act">
      <label>
        {hint}
        <textarea
          rows={Math.min(12, text.split("\n").length + 1)}
          spellcheck={false}
          aria-invalid={parsed === undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {parsed === undefined ? (
        <p role="alert">This is not JSON.</p>
      ) : (
        <Act label={label} call={{ ...call, body: parsed.value }} />
      )}
    </div>
  );
}

/** The value of a JSON text; undefined if it is none. */
export function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
