import { useState } from "preact/hooks";
import { Act, BodyAct, parse } from "./act.js";
import type { Call } from "./calls.js";
import type { Fleet } from "./feed.js";
import { dateAndTime } from "./format.js";
import { Json, Section, Table } from "./parts.js";
import type { ArmedFault } from "./protocol";

const MOVES: readonly (readonly [label: string, ms: number])[] = [
  ["+1 second", 1000],
  ["+1 minute", 60_000],
  ["+1 hour", 3_600_000],
  ["+1 day", 86_400_000],
];
const SPEEDS = [1, 10, 100] as const;
const INCIDENTS: Readonly<Record<string, unknown>> = {
  "No capacity": { act: { capacity: {} }, match: { times: 1000 } },
  "500 once": { act: { status: 500 } },
  "503, 20 times": { act: { status: 503 }, match: { times: 20 } },
  "429, 20 times": { act: { status: 429, headers: { "retry-after": "1" } }, match: { times: 20 } },
  "Slow answers": { act: { delayMs: 3000 }, match: { times: 1000 } },
  "Drop the next create's answer": { act: { drop: "after" }, match: { interface: "rest", method: "POST" } },
  "Drop the next endpoint's answer": { act: { drop: "after" }, match: { operation: "saveEndpoint" } },
  "Drop the next call": { act: { drop: "before" } },
  "GraphQL error once": {
    act: { graphqlErrors: [{ message: "Something went wrong." }] },
    match: { interface: "graphql" },
  },
  "Cut off an answer": { act: { truncate: true } },
  "Not JSON once": { act: { malformed: true } },
  "Creates unreadable for 5 s": { act: { staleMs: 5000 }, match: { method: "POST", times: 1000 } },
};
const EXAMPLE_FAULT = { match: { interface: "rest", method: "POST", times: 1 }, act: { status: 503 } };

const control = (method: Call["method"], path: string, body?: unknown): Call => ({
  interface: "control",
  method,
  path,
  ...(body !== undefined && { body }),
});

export function ControlsPage({ fleet: { clock, faults, settings }, now }: { fleet: Fleet; now: number }) {
  return (
    <>
      <Section title="Clock">
        <p>
          {dateAndTime(now)} UTC, at {clock.speed} × real time.
        </p>
        <div class="acts">
          {MOVES.map(([label, advanceMs]) => (
            <Act key={label} label={label} call={control("POST", "/clock", { advanceMs })} />
          ))}
          {SPEEDS.map((speed) => (
            <Act key={speed} label={`Speed ${speed}`} call={control("POST", "/clock", { speed })} />
          ))}
        </div>
      </Section>
      <Section title="Faults">
        <Faults faults={faults} />
        <fieldset class="acts">
          <legend class="quiet">Incidents</legend>
          {Object.entries(INCIDENTS).map(([label, fault]) => (
            <Act key={label} label={label} call={control("POST", "/faults", fault)} />
          ))}
        </fieldset>
        <BodyAct
          label="Add the fault"
          hint="What must fail; docs/emulator-control.md has the list of acts"
          call={control("POST", "/faults")}
          body={EXAMPLE_FAULT}
        />
        {faults.length > 0 && <Act label="Remove all faults" call={control("DELETE", "/faults")} />}
      </Section>
      <Section title="Settings">
        <Json label="Settings" value={settings} />
        <BodyAct
          label="Change the settings"
          hint="Settings to change; the others stay"
          call={control("PUT", "/settings")}
          body={{ podBootMs: 60_000 }}
        />
      </Section>
      <Section title="State">
        <StateFile />
      </Section>
    </>
  );
}

function Faults({ faults }: { faults: readonly ArmedFault[] }) {
  if (faults.length === 0) return <p class="quiet">Nothing has to fail.</p>;
  return (
    <Table class="faults" label="Faults in force" head={["Fault", "Met so far"]}>
      <tbody>
        {faults.map(({ fault, seen }, index) => (
          <tr key={`${index} ${JSON.stringify(fault)}`}>
            <th scope="row" class="id wrap">
              {JSON.stringify(fault)}
            </th>
            <td class="number" data-label="Met so far">
              {seen}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Saving is a download; loading is a call whose body is a file. */
function StateFile() {
  const [state, setState] = useState<unknown>();
  const [problem, setProblem] = useState("");
  const read = async (file: File | undefined) => {
    const parsed = file && parse(await file.text());
    setState(parsed?.value);
    setProblem(file !== undefined && parsed === undefined ? "The file is not JSON." : "");
  };
  return (
    <>
      <p>
        <a href="/state" download="emulator-state.json">
          Save the state
        </a>{" "}
        as a file, secrets included.
      </p>
      <p>
        <label>
          Load a state{" "}
          <input type="file" accept=".json" onChange={({ currentTarget }) => void read(currentTarget.files?.[0])} />
        </label>
      </p>
      {problem !== "" && <p role="alert">{problem}</p>}
      {state !== undefined && <Act label="Replace the state" asks call={control("PUT", "/state", state)} />}
    </>
  );
}
