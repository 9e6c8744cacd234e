import { dirname, join } from 'node:path';
import { registryListing } from '../../drill/registry-listing.ts';
import type { TraineeFiles, TraineeFile } from '../../drill/trainee-files.ts';
import { traineeFiles } from '../../drill/trainee-files.ts';
import type { DrillSession } from '../../drill/session.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { readBoundedSync } from '../../files/read-bounded.ts';
import { writePrivate } from '../../server/run-folder.ts';
import type { ServedRun } from '../../server/served-run.ts';
import { certificateOf } from '../../simulator/index.ts';
import { yamlText } from '../yaml-text.ts';

/** Where things were laid ready for the trainee, and the kubeconfig that is theirs. */
export interface TraineeFolder {
  readonly folder: string;
  readonly kubeconfig: string;
}

/** Writes the files of the commands that failed before the trainee came, and what the registries hold; undefined when there is neither. */
export async function prepareFiles(session: DrillSession, served: ServedRun): Promise<TraineeFolder | undefined> {
  const now = served.cluster.now();
  const listing = registryListing(served.cluster);
  const ofCommands = traineeFiles(await session.failedCommands(), {
    url: served.url,
    authority: served.authority,
    foreignAuthority: served.foreignAuthority(),
    now,
    credential: ({ user, groups, foreign, ...dates }) =>
      served.credentialFor({ ...certificateOf(user, groups, now), ...dates }, foreign === true),
  });
  if (ofCommands === undefined && listing === undefined) return undefined;
  const files: TraineeFiles = {
    ...(ofCommands ?? { kubeconfig: undefined, user: undefined, anybody: false, renewed: undefined }),
    files: [...(ofCommands?.files ?? []), ...(listing === undefined ? [] : [listing])],
  };
  const folder = join(served.folder, 'trainee');
  for (const file of files.files) lay(folder, file);
  const kubeconfig = files.kubeconfig === undefined ? served.run.kubeconfig : join(folder, files.kubeconfig);
  session.layOut({
    folder,
    files: files.files.flatMap(({ path, about }) => (about === undefined ? [] : [{ path, about }])),
    user: files.user,
    anybody: files.anybody,
    kubeconfig: () => (files.kubeconfig === undefined ? undefined : textOf(kubeconfig)),
    renew: () => renewed(folder, files),
  });
  return { folder, kubeconfig };
}

function renewed(folder: string, { renewed: file }: TraineeFiles): string | undefined {
  if (file === undefined) return undefined;
  lay(folder, file);
  return file.path;
}

function lay(folder: string, { path, content }: TraineeFile): void {
  const file = join(folder, path);
  makeFolder(dirname(file));
  writePrivate(file, 'text' in content ? content.text : content.documents.map((document) => yamlText(document)).join('---\n'));
}

function textOf(file: string): string | undefined {
  try {
    return readBoundedSync(file).toString('utf8');
  } catch {
    return undefined;
  }
}
