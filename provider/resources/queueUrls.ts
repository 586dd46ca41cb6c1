/** Addresses of a queue endpoint's operations; `{job_id}` stands for the job's id. */
export function queueUrls(serverlessUrl: string, endpointId: string) {
  const base = `${serverlessUrl}/v2/${endpointId}`;
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
  };
}
