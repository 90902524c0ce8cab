import { useState } from 'react'
import type { DeliveryRecord } from '../../shared/delivery.ts'
import { bytes } from '../state/time.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import { useNames } from './Agent.tsx'
import { Refusal } from './Refusal.tsx'
import { useCommand } from './use-command.ts'

/** What exactly was sent, try by try; the prompt itself opens in its place. */
export const Deliveries = ({ deliveries }: { deliveries: readonly DeliveryRecord[] }) => {
  const words = text.attemptScreen
  if (deliveries.length === 0) return <p className="dim">{words.nothingSent}</p>
  return (
    <div className="wide">
      <table className="table deliveries">
        <thead>
          <tr>
            <th scope="col">{words.try}</th>
            <th scope="col" className="right">
              {words.prompt}
            </th>
            <th scope="col">{words.sha}</th>
            <th scope="col">{words.sources}</th>
            <th scope="col">{words.mode}</th>
            <th scope="col">{words.session}</th>
            <th scope="col">
              <span className="unseen">{text.common.open}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <Delivery key={delivery.deliveryId} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What went into a prompt, in words; what another attempt concluded is named by its agent and round. */
function useSourceWords(sources: readonly string[]): string[] {
  const runs = useWorld((world) => world.runs)
  const names = useNames()
  const turns = Object.values(runs).flatMap((run) => run.turns)
  return sources.map((source) => {
    const [, attemptId] = /^capsule (\S+)$/.exec(source) ?? []
    if (attemptId === undefined) return source
    const turn = turns.find((one) => one.attemptId === attemptId)
    return turn ? text.trace.round(names(turn.agent), turn.round) : text.attemptScreen.earlier
  })
}

const Delivery = ({ delivery }: { delivery: DeliveryRecord }) => {
  const { call, failure } = useCommand()
  const [prompt, setPrompt] = useState<string | null>(null)
  const words = text.attemptScreen
  const toggle = async () => {
    if (prompt !== null) return setPrompt(null)
    const opened = await call('delivery.open', { deliveryId: delivery.deliveryId })
    return opened ? setPrompt(opened.prompt) : undefined
  }
  const sources = useSourceWords(delivery.sources).join(', ')
  return (
    <>
      <tr>
        <th scope="row">{delivery.try}</th>
        <td className="right">
          {bytes(delivery.promptBytes)}
          {delivery.images === 0 ? null : <span className="dim"> {text.images.sent(delivery.images)}</span>}
        </td>
        <td>
          <code
            className="mono"
            title={delivery.promptSha256}
          >{`${delivery.promptSha256.slice(0, 6)}…${delivery.promptSha256.slice(-4)}`}</code>
        </td>
        <td title={sources}>
          <span className="cut sources">{sources}</span>
        </td>
        <td>{delivery.mode === 'write' ? words.write : words.readOnly}</td>
        <td>{text.session[delivery.session]}</td>
        <td className="right">
          <button
            type="button"
            className="button plain small"
            aria-expanded={prompt !== null}
            aria-label={words.openPrompt(delivery.try)}
            onClick={() => void toggle()}
          >
            {prompt === null ? text.common.open : text.common.close}
          </button>
        </td>
      </tr>
      {prompt === null && !failure ? null : (
        <tr className="prompt-row">
          <td colSpan={7}>
            <Refusal failure={failure} />
            {prompt === null ? null : (
              <pre
                className="prompt"
                // what scrolls must be reachable by keyboard
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={0}
                aria-label={words.promptTitle(delivery.try)}
              >
                {prompt}
              </pre>
            )}
          </td>
        </tr>
      )}
    </>
  )
}
