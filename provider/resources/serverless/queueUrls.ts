import { answers } from "../../../client";
import { queueUrlsAt } from "../../../common/queueUrls";
import { named } from "../../lifecycle/fields/fields";

const { LoadBalancerUrls, QueueUrls } = answers.serverless;

export const queueUrlsOutput = named("QueueUrls", QueueUrls);
export const loadBalancerUrls = named("LoadBalancerUrls", LoadBalancerUrls);

export const queueUrls = (serverlessUrl: string, endpointId: string) =>
  queueUrlsAt(`${serverlessUrl}/v2/${endpointId}`);
