export { type MockWorker, mockQueue } from "./mockQueue";
export { type MockAnswers, mocks } from "./mocks";
