import { useState } from 'react'
import type { CustomAgentView } from '../../shared/custom-agent.ts'
import { text } from '../text/text.ts'
import { Mark, useAgent } from './Agent.tsx'
import { IconButton } from './IconButton.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** One agent of the person's own; to remove it is asked about in its place. */
export const CustomAgentItem = ({
  agent,
  change,
  removed,
}: {
  agent: CustomAgentView
  change: () => void
  removed: () => void
}) => {
  const card = useAgent(agent.agent)
  const { call, failure, busy, clear } = useCommand()
  const [asks, setAsks] = useState(false)
  const words = text.custom
  const remove = async () => {
    if (await call('custom.remove', { agent: agent.agent })) removed()
  }
  const leave = () => {
    setAsks(false)
    clear()
  }
  return (
    <li className="custom-item">
      <div className="row">
        <Mark card={card} />
        <div className="grow custom-words">
          <b className="cut">{card.name}</b>
          <span className="meta cut">{describe(agent)}</span>
        </div>
        <IconButton icon="pen" label={words.change(card.name)} act={change} />
        <IconButton icon="bin" label={words.remove(card.name)} act={() => setAsks(true)} />
      </div>
      {asks ? (
        <div className="custom-question">
          <p className="quiet-text">{words.removeQuestion(card.name)}</p>
          <Refusal failure={failure} />
          <div className="row">
            <button type="button" className="button small" autoFocus onClick={leave}>
              {words.keepIt}
            </button>
            <button type="button" className="button small solid" disabled={busy} onClick={() => void remove()}>
              {words.removeIt}
            </button>
          </div>
        </div>
      ) : null}
    </li>
  )
}

const describe = ({ program, argCount, variableCount, speech }: CustomAgentView): string => {
  const words = text.custom
  const isHeld = speech.transport === 'acp' && speech.modes.readOnly !== null
  return [
    program,
    words.transports[speech.transport],
    words.args(argCount),
    ...(variableCount === 0 ? [] : [words.variables(variableCount)]),
    isHeld ? words.held : words.notHeld,
  ].join(text.common.dot)
}
