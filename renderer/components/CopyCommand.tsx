import { CopyButton } from './CopyButton.tsx'

/** One command, ready to copy. */
export const CopyCommand = ({ command }: { command: string }) => (
  <span className="command">
    <code className="mono cut" title={command}>
      {command}
    </code>
    <CopyButton source={() => command} />
  </span>
)
