/** Every limit of Parley, by name and unit. Sizes are bytes or characters, times are milliseconds. */

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

// Discussion
export const roundsMin = 1
export const roundsMax = 10
export const roundsDefault = 6
export const membersMax = 8
export const attemptsPerRunMax = 128
export const stalledRoundsMax = 3
export const timedOutTurnsBeforeSkipMax = 2
export const positionMaxCharacters = 200
export const voteBlockMaxCharacters = 2_000
export const topicMaxCharacters = 200_000
export const sharedContextMaxCharacters = 60_000
export const capsuleMaxCharacters = 4_000
export const capsuleEvidenceMax = 12
export const capsuleEvidenceTitleMaxCharacters = 100
export const topicReminderMaxCharacters = 4_000
export const promptSourcesMax = 50

// Attempts
export const triesPerAttemptMax = 3
export const silenceMs = 5 * minute
export const attemptCapMs = 30 * minute
export const launchMs = 60 * second
export const settleMs = 30 * second
export const stopGraceMs = 8 * second
export const backoffFirstMs = 2 * second
export const backoffMaxMs = 60 * second
export const capLimitsMs = { min: 10 * second, max: 24 * 60 * minute }
export const silenceLimitsMs = { min: 5 * second, max: 60 * minute }

// Gates
export const gateExpiryMs = 7 * day
export const gateDeliveryMs = 30 * second
export const gateDeliveriesMax = 5
export const approvalAgeMaxMs = 7 * day
export const gateSummaryMaxCharacters = 4_000
export const gateNoteMaxCharacters = 2_000
export const gateTitleMaxCharacters = 400
/** How many gates that were settled since the start are shown with those that wait. */
export const gatesLatelyMax = 20
export const gateReasonMaxCharacters = 1_000

// Runs
export const preflightMs = 20 * second
export const minutesRetryMs = 30 * second
export const minutesTriesMax = 5

// Lifecycle
export const openingMs = 30 * second
export const restoringMs = 30 * second
export const surveyingMs = 5 * second
/** How long what runs may take to end by itself and be written down, its processes included. */
export const drainMs = 15 * second
/** How long processes may take to be gone that outlived that: they are killed and killed again. */
export const killingMs = 5 * second
/** When the last process of ours is gone after quitting has begun, at the latest. */
export const childrenGoneMs = drainMs + killingMs
/** What the stores get after the last process, however long that took. */
export const closingMs = 5 * second
/** How soon a disk that refused a write is tried again, twice as long after each further refusal. */
export const diskTryFirstMs = second / 4
export const diskTryMaxMs = 30 * second
/** What must fit on a disk before it is written to again: as much as a few minutes of work write. */
export const probeBytes = 1 * mebibyte

// Installing
export const installCheckMs = 60 * second
export const installVerifyMs = 2 * minute
export const installFetchMs = 10 * minute
export const installPackageMs = 20 * minute
export const installConfirmMs = 60 * second
export const installClearMs = 30 * second
export const installLogLinesMax = 200
export const installLogLineMaxCharacters = 300
export const installArchiveMaxBytes = 512 * mebibyte
export const installPushMs = 100

// Processes
export const lineMaxBytes = 1 * mebibyte
export const stderrKeptBytes = 64 * kibibyte
export const outputMaxBytes = 64 * mebibyte
export const drainAfterExitMs = 2 * second
export const protocolCancelMs = 1 * second
export const stdinCloseMs = 1 * second
export const terminateMs = 3 * second
/** How long one process of a program may keep the next from starting. */
export const startTurnMs = 10 * second
export const versionProbeMs = 8 * second
export const probeOutputMaxBytes = 64 * kibibyte
export const capabilityProbeMs = 8 * second
export const statusProbeMs = 6 * second
export const loginShellMs = 4 * second
/** How many programs of one name are asked who they are, and how many versions of Node for one of them. */
export const programsAskedMax = 6
export const nodesAskedMax = 6
/** As much of a file as tells how it is started. */
export const programHeadBytes = 4 * kibibyte
/** One look for every agent. */
export const scanMs = minute
/** One short turn that shows whether an agent answers, from its start to its end. */
export const connectionTestMs = 90 * second
export const sameRefusalRetriesMax = 3
/** How many lines that are no protocol an agent may print before it is not understood. */
export const noiseLinesMax = 200
export const permissionsOpenMax = 64
/** How long an agent that tells what a turn used only after its answer is waited for. */
export const usageAfterAnswerMs = 250
/** A session that is kept between turns is ended when nobody has spoken in it for so long. */
export const warmIdleMs = 5 * minute
/** How many sessions of agents that are kept between turns live at once, those with a turn included. */
export const warmSessionsMax = 16
/** Of how many sessions it is remembered when they were last loaded. */
export const openedSessionsMax = 256
export const unreachableNoticesMax = 4

// Providers
export const providersPerAgentMax = 20
export const providerNameMaxCharacters = 60
export const providerUrlMaxCharacters = 500
export const providerModelMaxCharacters = 200
export const providerKeyMaxCharacters = 4_000
/** Shorter ones could not be told from common words where they are taken out of a text. */
export const providerKeyMinCharacters = 8
export const providerTestMs = 20 * second
export const providerTestMaxBytes = 2 * mebibyte

// Clocks
export const wakeCheckMs = second
export const sleepGapMs = 5 * second
export const timerMaxMs = 2 ** 31 - 1

// Scheduler
export const slotsMin = 4
export const slotsMax = 16

// Window and store
export const commandMaxBytes = 1 * mebibyte
export const nameMaxCharacters = 120
export const draftMaxCharacters = topicMaxCharacters
export const conversationsPageMax = 60
/** How many conversations the window keeps as it read them. */
export const conversationsReadMax = 12
export const runsPageMax = 20
export const eventsPageMax = 500
export const outputPageMax = 500
export const queuedMessagesMax = 50
export const textPerAttemptMaxCharacters = 400_000
export const groupCommitMs = 32
/** Transitions that nobody waits for are written together: this long after the first of them at the latest. */
export const cutGroupMs = 4
export const pushIntervalMs = 16
export const eventPayloadMaxBytes = 2 * kibibyte

// Images
/** In base64 it stays below five million bytes, which is the least that a provider is known to take. */
export const imageMaxBytes = 3.5 * mebibyte
export const imagesPerMessageMax = 8
export const imageSideMaxPixels = 8_000
export const imageNameMaxCharacters = 255
/** What the door takes where an image is added: its bytes in base64, and room for what stands around them. */
export const imageCommandMaxBytes = 5 * mebibyte

// Shells
export const pushBatchMax = 100
/** When a window that is behind has so many pushes before it, they are put together. */
export const pushWaitingMax = 500
/** When they hold so much, they are let go, and the window reads again. */
export const pushHeldMaxCharacters = 8_000_000
export const logFileMaxBytes = 1 * mebibyte
export const electronFetchMs = 2 * minute
export const electronFetchAgainMs = day
export const repeatedSignalMs = 500
export const buildMainMs = 2 * minute
export const openerFailsMs = 2 * second
export const defaultWindowPixels = { width: 1_280, height: 800 }
export const smallestWindowPixels = { width: 640, height: 480 }

// Store
/** How much stored text one slice of a search may look through. */
export const searchSliceMaxCharacters = 3_000_000
export const reasoningPerAttemptMaxCharacters = 400_000
export const outputRowsPerAttemptMax = 50_000
/** How much of the turns' text one opened conversation carries. */
export const viewTextMaxCharacters = 4_000_000
export const viewTextCutCharacters = 2_000
export const liveTextPartCharacters = 8_000
/** How long a statement waits for another program that looks into the file. */
export const lockWaitMs = 250
/** For how long output and the like may be written before the disk is waited for once. */
export const unsyncedMaxMs = 1 * second
/** A transition changes a row in each of half a dozen tables, and writes a whole page of the file for each. */
export const pageBytes = 2 * kibibyte
export const pageCacheKibibytes = 16_384
export const journalKeptBytes = 8 * mebibyte
/** The log is moved into the file when it has grown so far. */
export const logPagesMax = 4_000

/** How many agents the sidebar can be told to leave out. */
export const hiddenAgentsMax = 64

// Agents of the person's own
export const customAgentsMax = 32
export const customNameMaxCharacters = 40
export const customFileMaxCharacters = 1_000
export const customArgsMax = 32
export const customArgMaxCharacters = 500
export const customVariablesMax = 32
export const customVariableMaxCharacters = 100
export const customModeMaxCharacters = 200
export const customFieldMaxCharacters = 100

// One process for each turn
/** How much is read of an answer that is text or one JSON document. */
export const documentMaxBytes = 4 * mebibyte
/** At how many places of it such a document is looked for. */
export const documentStartsMax = 64
/** A workplace that is thrown away after its turn has been forgotten when it is older than the longest turn. */
export const workplaceForgottenMs = 2 * day

// Replay, export and import
/** How long a replay goes on before everything else in main has its turn. */
export const replaySliceMs = 8
/** A run file, as it is written and as it is taken. */
export const runFileMaxBytes = 16 * mebibyte
/** What the door takes where a run file is opened: its text as a JSON string, in which quotation marks take two. */
export const runFileCommandMaxBytes = 2 * runFileMaxBytes
// Backups
/** How many verified copies of the whole record are kept. */
export const backupGenerationsMax = 3
/** How long after a start the first one is made, if anything was written since the newest. */
export const backupFirstMs = 10 * second
/** While something is written, one is made so often. */
export const backupEveryMs = 10 * minute
/** An orderly end makes one if the newest is older than this, and waits for it no longer than `backupAtEndMs`. */
export const backupAtEndAfterMs = minute
export const backupAtEndMs = 2 * second
/** After one that did not come to be. */
export const backupRetryMs = minute
export const copyPagesPerStep = 1_000
/** A copy during which the log grows by more is given up, so that the log can begin anew. */
export const logWhileCopyingMaxBytes = 64 * mebibyte

// Growth
/** Of how many runs, the newest of all, every detail of what agents put out is kept. Pinned ones keep it for ever. */
export const runsKeptWholeMax = 200
/** How many rows of output, runs, and freed pages one slice of compaction looks at. */
export const compactionSliceRows = 300
export const compactionSliceRuns = 100
export const freedPagesPerSlice = 64
/** Freed pages that stay in the file for what is written next. */
export const freedPagesKept = 1_000
/** A record of before it could shrink is made anew once, if it is no larger. */
export const madeShrinkableMaxBytes = 32 * mebibyte
/** A log that has grown so far is emptied as soon as nobody reads from it. */
export const logEmptiedAtBytes = 32 * mebibyte
/** Between two slices while there is something to do, and between two looks while there is not. */
export const upkeepSliceMs = 50
export const upkeepLookMs = 5 * second
