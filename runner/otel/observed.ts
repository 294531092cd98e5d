import type { RunEvent, RunResult } from '../events.ts'
import { spansOf, type Tracer } from './spans.ts'

/** Passes the events of a run on, and makes spans of them (`--otel`). The API of OpenTelemetry is loaded only here. */
export async function* observed(events: AsyncGenerator<RunEvent, RunResult>, contents: boolean): AsyncGenerator<RunEvent, RunResult> {
  const { context, trace } = await import('@opentelemetry/api')
  const tracer: Tracer = {
    start(name, { kind, attributes, parent, at }) {
      const within = parent === undefined ? context.active() : trace.setSpan(context.active(), parent as never)
      return trace.getTracer('agentc').startSpan(name, { kind, attributes, startTime: at }, within)
    },
  }
  const take = spansOf(tracer, () => Date.now(), contents)
  try {
    for (;;) {
      const step = await events.next()
      if (step.done) return step.value
      take(step.value)
      yield step.value
    }
  } finally {
    take(undefined)
    await events.return(undefined as never)
  }
}
