import type { RunView, TurnView } from '../../../shared/view.ts'
import { endInWords, harmless, inWords, markOf, nameOfAgent, oneLine, voteInWords } from './words.ts'

const textLinesShownMax = 12

/** A run that is over, as an outline: rounds, who spoke, how it ended, what was said. */
export const pastLines = ({ run, turns }: Pick<RunView, 'run' | 'turns'>): string[] => [
  `${markOf(run.status)} ${oneLine(run.topic).slice(0, 100)}`,
  ...[...Map.groupBy(turns, ({ round }) => round)].flatMap(([round, inRound]) => [
    `  round ${round}`,
    ...inRound.flatMap(turnLines),
  ]),
  `  ${endInWords(run.status)}${run.reason ? ` ${oneLine(run.reason.message)}` : ''}`,
]

const turnLines = (turn: TurnView): string[] => {
  const vote = voteInWords(turn)
  return [
    `    ${markOf(turn.status)} ${nameOfAgent(turn.agent)}: ${inWords(turn.status)}${vote === '' ? '' : ` · ${vote}`}`,
    ...(turn.failure ? [`      ${oneLine(turn.failure.message)}`] : []),
    ...textLines(turn.text).map((line) => `      │ ${line}`),
  ]
}

const textLines = (text: string): string[] => {
  const lines = harmless(text).split('\n').filter((line) => line.trim() !== '')
  const hidden = lines.length - textLinesShownMax
  return hidden > 0 ? [...lines.slice(0, textLinesShownMax), `… and ${hidden} more lines`] : lines
}
