import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AddressContext } from "./act.js";
import { ControlsPage } from "./controls.js";
import { CostsPage, hourlyCost } from "./costs.js";
import { DetailPage } from "./detail.js";
import { type Fleet, useFleet, useNow } from "./feed.js";
import { dateAndTime, plural, usd } from "./format.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import type { DetailKind } from "./protocol";
import { RequestsPage } from "./requests.js";
import { KindPage, OverviewPage } from "./resources.js";
import { linkTo, OTHER_PAGES, type Route, useRoute } from "./route.js";

const PAGES = { overview: "Overview", requests: "Requests", costs: "Costs", controls: "Clock, faults, settings" };

function App() {
  const route = useRoute();
  const { value: fleet, isConnected } = useFleet();
  const now = useNow(fleet.clock);
  const title = titleOf(route, fleet);
  const heading = useRef<HTMLHeadingElement>(null);
  const place = location.hash;
  useEffect(() => {
    document.title = `${title} · Emulator console`;
  }, [title]);
  const isFirst = useRef(true);
  useEffect(() => {
    // Keyboard and screen reader users continue at the heading of the new page.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [place]);
  return (
    <AddressContext.Provider value={fleet.addresses}>
      <header>
        <button type="button" class="skip" onClick={() => heading.current?.focus()}>
          Skip to the page
        </button>
        <a class="home" href="#/">
          Emulator
        </a>
        <span>{dateAndTime(now)} UTC</span>
        <span>{usd(hourlyCost(fleet))} an hour</span>
        {fleet.faults.length > 0 && <a href="#/controls">{plural(fleet.faults.length, "fault")} set</a>}
        <span role="status" class={isConnected ? "live" : "lost"}>
          {isConnected ? "live" : "not connected"}
        </span>
      </header>
      <Menu route={route} fleet={fleet} />
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Page key={place} route={route} fleet={fleet} now={now} />
      </main>
    </AddressContext.Provider>
  );
}

function Menu({ route, fleet }: { route: Route; fleet: Fleet }) {
  const current = "kind" in route ? route.kind : route.page;
  const item = (name: string, href: string, text: string, count?: number) => (
    <li key={name} class={count === 0 ? "none" : ""}>
      <a href={href} aria-current={name === current ? "page" : undefined}>
        {text} {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
      </a>
    </li>
  );
  return (
    <nav class="menu" aria-label="Pages">
      <ul>
        {item("overview", "#/", PAGES.overview)}
        {KIND_NAMES.map((kind) => item(kind, linkTo(kind), KINDS[kind].title, fleet.rows.get(kind)?.size ?? 0))}
        {OTHER_PAGES.map((page) => item(page, `#/${page}`, PAGES[page]))}
      </ul>
    </nav>
  );
}

function Page({ route, fleet, now }: { route: Route; fleet: Fleet; now: number }) {
  switch (route.page) {
    case "overview":
      return <OverviewPage fleet={fleet} now={now} />;
    case "requests":
      return <RequestsPage fleet={fleet} />;
    case "costs":
      return <CostsPage fleet={fleet} />;
    case "controls":
      return <ControlsPage fleet={fleet} now={now} />;
    case "kind":
      return <KindPage kind={route.kind} fleet={fleet} now={now} />;
    case "detail":
      return <DetailPage kind={route.kind} id={route.id} row={rowAt(route, fleet)} now={now} />;
  }
}

function titleOf(route: Route, fleet: Fleet): string {
  if (route.page === "kind") return KINDS[route.kind].title;
  if (route.page !== "detail") return PAGES[route.page];
  return rowAt(route, fleet)?.name || `${SINGLE[route.kind] ?? ""} ${route.id}`.trim();
}

const SINGLE: Readonly<Partial<Record<DetailKind, string>>> = { workers: "Worker", jobs: "Job" };

const rowAt = ({ kind, id }: { kind: DetailKind; id: string }, { rows }: Fleet) =>
  kind === "workers" || kind === "jobs" ? undefined : rows.get(kind)?.get(id);

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
