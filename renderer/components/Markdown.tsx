import { memo, useMemo, useRef, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { useSession } from '../state/use-session.ts'
import { CopyButton } from './CopyButton.tsx'

/** An agent's text: Markdown in which HTML is only text. While it grows only its last block is drawn anew. */
export const Markdown = ({ text, streaming = false }: { text: string; streaming?: boolean }) => {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div className={`said${streaming ? ' streaming' : ''}`}>
      {blocks.map((block, index) => (
        // blocks only ever grow at the end
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

const Block = memo(({ text }: { text: string }) => (
  <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={httpsOnly}>
    {text}
  </ReactMarkdown>
))

/** Cuts text at blank lines outside of code fences and lists, so that what is finished is not parsed again. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === null && startsAnew(line, block)) {
      blocks.push(block.join('\n'))
      block = []
    }
    block.push(line)
    if (mark && fence === null) fence = mark
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null
  }
  return [...blocks, block.join('\n')].filter((part) => part.trim() !== '')
}

/** A plain line after a blank one begins a block; indented lines and list items may belong to what was before. */
const startsAnew = (line: string, block: readonly string[]) =>
  block.at(-1)?.trim() === '' && block.some((one) => one.trim() !== '') && /^[^\s*+\-\d[>|]/.test(line)

const plugins = [remarkGfm]

const httpsOnly = (url: string) => (url.startsWith('https://') ? url : '')

function Link({ href, children }: ComponentProps<'a'>) {
  const session = useSession()
  if (!href) return <span>{children}</span>
  return (
    <a
      href={href}
      title={href}
      onClick={(event) => {
        event.preventDefault()
        void session.call('link.open', { url: href })
      }}
    >
      {children}
    </a>
  )
}

/** Code as it is, with a button that copies it. */
function Code({ children }: { children?: ReactNode }) {
  const code = useRef<HTMLPreElement>(null)
  return (
    <div className="code">
      {/* what scrolls must be reachable by keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
      <CopyButton framed source={() => code.current?.textContent ?? ''} />
    </div>
  )
}

const components: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  // an image would be fetched from somewhere: its words are enough
  img: ({ alt }) => <span className="dim">{alt}</span>,
  pre: ({ children }) => <Code>{children}</Code>,
  table: ({ children }) => (
    <div className="wide">
      <table>{children}</table>
    </div>
  ),
}
