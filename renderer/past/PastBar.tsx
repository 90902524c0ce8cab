import type { ReactNode } from 'react'
import { Icon } from '../components/icons.tsx'
import { settled } from '../../shared/run.ts'
import { runLook } from '../state/status.ts'
import { useWorld } from '../state/use-session.ts'
import { text } from '../text/text.ts'
import type { Looking } from './use-looking.ts'

/** Whose past it is, how the run stood then, and in a line that nobody can miss that this is not the present. */
export const PastBar = ({
  looking,
  conversationId,
  leave,
  time,
  children,
}: {
  looking: Looking
  conversationId: string | null
  leave: () => void
  time: string
  children: ReactNode
}) => {
  const { history, picture, index, newer } = looking
  const { run } = history.end
  const name = useWorld((world) => world.rows.find((row) => row.conversationId === conversationId)?.name)
  const title = name ?? firstLine(run.topic)
  const look = runLook(picture.run.run.status)
  const isLive = !settled(run.status)
  return (
    <>
      <header className="bar" data-region tabIndex={-1}>
        <button type="button" className="button plain back" onClick={leave}>
          <Icon name="left" small />
          {conversationId === null ? text.past.home : text.past.leave}
        </button>
        <h1 className="title cut" title={title}>
          {title}
        </h1>
        <span className="grow" />
        {children}
        <span className="badge" data-tone={look.tone}>
          <Icon name={look.icon} small />
          {text.past.wasThen(look.word)}
        </span>
      </header>
      <div className="not-now">
        <Icon name="clock" small />
        <p className="grow cut">
          <b>{text.past.notNow(time, index + 1, history.moments.length)}</b>
          {isLive ? ` ${text.past.live}` : ''}
          {newer > 0 ? ` ${text.past.newer(newer)}` : ''}
        </p>
        <button type="button" className="button small" onClick={leave}>
          {text.past.toNow}
        </button>
      </div>
    </>
  )
}

const titleMax = 80

const firstLine = (topic: string) => (topic.split('\n')[0] ?? '').slice(0, titleMax)
