import { LoadBalancerUrls, QueueUrls } from "../../client/schemas/serverless";
import { queueUrlsAt } from "../../common/queueUrls";
import { named } from "../../lifecycle/fields";

export const queueUrlsOutput = named("QueueUrls", QueueUrls);
export const loadBalancerUrls = named("LoadBalancerUrls", LoadBalancerUrls);

export const queueUrls = (serverlessUrl: string, endpointId: string) =>
  queueUrlsAt(`${serverlessUrl}/v2/${endpointId}`);
