import { PodcheckError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { CommandContext } from '../commands/context.ts';
import type { ExitCode } from '../commands/exit-codes.ts';
import { EXIT } from '../commands/exit-codes.ts';
import { SHELLS } from './shells.ts';

/** Writes the script that makes a shell ask podcheck while somebody types. */
export function runCompletion(shell: string, context: CommandContext): ExitCode {
  const script = SHELLS.find((known) => known === shell);
  if (script === undefined) {
    const near = nearest(shell, SHELLS);
    throw new PodcheckError(
      'usage',
      `no completion for the shell "${shell}"`,
      near.length === 0 ? `one of: ${SHELLS.join(', ')}` : `did you mean ${near.join(' or ')}?`,
    );
  }
  context.write(SCRIPTS[script]);
  return EXIT.healthy;
}

/** Bash cuts words at `:` and `=`, so the line is cut at blanks instead, and what bash already has before the cut is left out. */
const BASH = `# podcheck completion for bash: source <(podcheck completion bash)
# \`kubectl podcheck\` is completed by kubectl's own completion, through kubectl_complete-podcheck.
_podcheck() {
  local line="\${COMP_LINE:0:COMP_POINT}" out directive word typed cut
  local -a words
  read -ra words <<<"$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  typed="\${words[\${#words[@]}-1]}"
  out="$("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)" || return
  directive="\${out##*:}"
  cut="\${typed%"\${typed##*[:=]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ "$word" == :* || -z "$word" ]] && continue
    COMPREPLY+=("\${word#"$cut"}")
  done <<<"$out"
  case "$directive" in
    0) compopt -o default; [[ \${#COMPREPLY[@]} -eq 0 ]] || COMPREPLY+=($(compgen -f -- "\${typed#"$cut"}")) ;;
    16) compopt -o dirnames ;;
  esac
}
complete -F _podcheck podcheck kubectl-podcheck
`;

const ZSH = `#compdef podcheck kubectl-podcheck
# podcheck completion for zsh: source <(podcheck completion zsh), or save it as _podcheck in a folder of $fpath
_podcheck() {
  local directive line
  local -a lines proposals
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  directive="\${lines[-1]#:}"
  for line in "\${(@)lines[1,-2]}"; do
    proposals+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#proposals} )) && _describe 'podcheck' proposals
  case "$directive" in
    0) _files ;;
    16) _files -/ ;;
  esac
}
if [[ "\${funcstack[1]}" == _podcheck ]]; then _podcheck "$@"; else compdef _podcheck podcheck kubectl-podcheck; fi
`;

const FISH = `# podcheck completion for fish: podcheck completion fish | source
function __podcheck_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null | string match -v -r '^:[0-9]+$'
end
for name in podcheck kubectl-podcheck
    complete -c $name -f -a '(__podcheck_complete)'
    complete -c $name -l from -r -F
    complete -c $name -l rules -r -F
    complete -c $name -l kubeconfig -r -F
    complete -c $name -l labels -r -F
end
`;

const POWERSHELL = `# podcheck completion for PowerShell: podcheck completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'podcheck', 'kubectl-podcheck' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | ForEach-Object { "$_" })
    $given = @($words | Select-Object -Skip 1)
    if ($wordToComplete -eq '') { $given += '""' }
    & $words[0] __complete @given 2>$null | Where-Object { $_ -notmatch '^:[0-9]+$' } | ForEach-Object {
        $value, $says = $_ -split "\`t", 2
        if (-not $says) { $says = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $says)
    }
}
`;

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };
