const NEEDED =
  /^(PATH|HOME|USERPROFILE|LOCALAPPDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|XDG_CACHE_HOME|GO\w*|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR))$/i;

/** What a compiler or an installer needs of the environment; keys and tokens are none of its business. */
export function neededEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}
