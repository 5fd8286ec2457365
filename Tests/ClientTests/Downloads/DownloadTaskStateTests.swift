import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite struct DownloadTaskStateTests {
    private enum Event: CaseIterable { case pause, resume, cancel, start, stopped, done }

    /// For random sequences of commands: a download is stopped at most once, and one that has ended stays ended.
    @Test(arguments: 1...500)
    func anyOrderOfCommandsIsValid(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (state, isQueued, stops, ends) = (DownloadTaskState.waiting, true, 0, 0)
        for _ in 0..<30 {
            let isRunning = if case .stopping = state { true } else { state == .running }
            let event = Event.allCases.randomElement(using: &random) ?? .pause
            let action: DownloadTaskState.Action
            switch event {
            case .pause: action = state.pause()
            case .resume: action = state.resume()
            case .cancel: action = state.cancel()
            case .start:
                guard isQueued else { continue }
                (isQueued, stops) = (false, 0)
                state.start()
                continue
            case .stopped, .done:
                guard isRunning, event == .done || stops > 0 else { continue }
                action = state.ended(wasStopped: event == .stopped)
            }
            switch action {
            case .enqueue: isQueued = true
            case .dequeue: isQueued = false
            case .stop: stops += 1
            case .finish:
                isQueued = false
                ends += 1
            case .nothing: break
            }
            #expect(stops <= 1 && ends <= 1 && (ends == 1) == (state == .finished))
            #expect(isQueued == (state == .waiting), "\(state)")
        }
    }
}
