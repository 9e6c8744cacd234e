/** What a phrase captures, and what it is good for. */
interface PhraseSpec {
  readonly says: string;
  readonly captures: readonly string[];
}

/**
 * Words that tell of no failure by themselves, but by which collectors find their way in those that do: which object an error names, where
 * a count begins. They stand in `<stage>/_frames.yaml` under these names, so that another wording of one needs no TypeScript.
 */
export const PHRASES = {
  'caller-address': { says: 'the address of a client that a server refuses', captures: ['caller'] },
  'called-address': { says: 'host and port that a program called', captures: ['host', 'port'] },
  'called-name': { says: 'the host that a program looked up', captures: ['host', 'port'] },
  'command-ended': { says: 'kubectl exec tells that its command failed', captures: [] },
  'controller-report': { says: 'a controller tells what is wrong with an object, not with itself', captures: [] },
  'created-pod': { says: 'a controller has created a pod', captures: ['pod'] },
  'deletion-timeout': { says: 'kubectl wait timed out before an object was deleted', captures: ['resource', 'name'] },
  'either-affinity': { says: 'the scheduler does not tell affinity from anti-affinity', captures: [] },
  'error-namespace': { says: 'the namespace of the object that an error is about', captures: ['namespace'] },
  'error-subject': {
    says: 'the object that an error is about; resource may be a plural or a kind',
    captures: ['resource', 'name', 'namespace'],
  },
  'failed-answer': { says: 'what a client begins with when a request failed', captures: [] },
  'finalizers-remaining': { says: 'the finalizers that a namespace waits for', captures: ['finalizers'] },
  'invalid-fields': { says: 'behind it the fields of an object are named that are invalid', captures: [] },
  'no-template': { says: 'the claim of a pod names a template that does not exist', captures: [] },
  'nodes-counted': { says: 'behind it the scheduler counts why nodes do not fit', captures: ['nodes'] },
  'predicates-counted': { says: 'the same, in the words of Kubernetes up to 1.8', captures: [] },
  'reading-before-change': { says: 'kubectl could not read the object that it had to change', captures: [] },
  'rejected-answer': { says: 'what kubectl begins with when the API server rejected an object', captures: [] },
  'remaining-kind': { says: 'a kind of which a namespace still has objects', captures: ['resource'] },
  'server-answer': { says: "what kubectl begins with when the error is the API server's", captures: [] },
  'updated-while-deleted': { says: 'kubectl changed an object that was being deleted', captures: ['name'] },
} as const satisfies Record<string, PhraseSpec>;

export type Phrase = keyof typeof PHRASES;

export const PHRASE_NAMES = Object.keys(PHRASES) as readonly Phrase[];

/** What a phrase captured in a text, and where it begins and ends there. */
export interface SpokenPhrase<P extends Phrase> {
  readonly captured: Readonly<Partial<Record<(typeof PHRASES)[P]['captures'][number], string>>>;
  readonly start: number;
  readonly end: number;
}
