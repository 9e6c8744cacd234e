/** Bounds on what a source may make podcheck read and keep. Real bundles of clusters with hundreds of pods stay far below them. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** JSON or YAML that is longer is read piece by piece. */
export const STREAMED_FROM_BYTES = 16 * MIB;
/** One object of a list that is read piece by piece. etcd takes none of more than 1.5 MiB. */
export const MAX_MEMBER_BYTES = 64 * MIB;

/** A file of objects or a transcript that is read whole; a longer text could not be held as one string for certain. */
export const MAX_DOCUMENT_BYTES = 256 * MIB;
/** Of a text that may be a log only the end is read, however long it is. */
export const MAX_TEXT_BYTES = 32 * MIB;
/** What a terminal showed: what is made of a line takes many times as much memory. */
export const MAX_TEXT_LINES = 400_000;
/** What is kept of one container's log. */
export const MAX_LOG_BYTES = 256 * KIB;
export const MAX_LOG_LINES = 2000;
export const MAX_LOG_LINE = 16 * KIB;
/** Of all logs of a source together. */
export const MAX_ALL_LOGS_BYTES = 64 * MIB;

export const MAX_FOLDER_DEPTH = 16;
export const MAX_FILES = 50_000;
/** Of all documents of a folder or an archive together. */
export const MAX_TOTAL_BYTES = 1024 * MIB;

/** A compressed file that grows by more than this is made to harm: bundles of objects and logs grow ten- to thirtyfold. */
export const MAX_RATIO = 200;
/** Below this size the ratio proves nothing. */
export const RATIO_FLOOR_BYTES = 16 * MIB;

/** Objects, lists, texts and numbers of all documents together; what comes of a few bytes each takes many times as much memory. */
export const MAX_VALUES = 2_500_000;
/** Larger sources may have more, as long as so many bytes stand for one: objects of Kubernetes have twelve to thirty. */
export const BYTES_A_VALUE = 10;
/** What one value takes in memory, with what is made of it. */
export const MEMORY_A_VALUE = 160;
/** Objects and lists in one another; the deepest schema of a CustomResourceDefinition has less than a hundred. */
export const MAX_NESTING = 1000;

/** The headers of a tar archive that are text: a path, a few attributes. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** What is looked at to tell what a file is. */
export const SAMPLE_BYTES = 64 * KIB;
