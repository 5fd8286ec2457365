import FeedTestSupport
import Testing

@testable import FeedClientKit

@Suite struct DownloadLineTests {
    @Test(arguments: 1...200)
    func theRightOneIsNextAndLimitsHold(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let limits = DownloadLimits(
            running: Int.random(in: 1...5, using: &random), perHost: Int.random(in: 1...3, using: &random))
        var (line, waiting, lastID) = (DownloadLine(limits), [Int: DownloadLine.Entry](), 0)
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                lastID += 1
                let entry = DownloadLine.Entry(
                    id: lastID, host: "h\(Int.random(in: 0..<3, using: &random))",
                    priority: DownloadPriority.allCases.randomElement(using: &random) ?? .normal)
                waiting[lastID] = entry
                line.join(entry)
            } else if let id = line.running.keys.min() {
                line.leave(id)
            }
            let full = line.running.values
            guard let id = line.next(), let entry = waiting.removeValue(forKey: id) else { continue }
            #expect(full.count < limits.running && full.count { $0 == entry.host } < limits.perHost)
            let better = waiting.values.filter { other in
                (other.priority > entry.priority || (other.priority == entry.priority && other.id < id))
                    && full.count { $0 == other.host } < limits.perHost
            }
            #expect(better.isEmpty, "seed \(seed)")
        }
    }

    @Test func oneThatIsUrgentOvertakes() {
        var line = DownloadLine(DownloadLimits(running: 1))
        for id in 1...3 { line.join(DownloadLine.Entry(id: id, host: "h", priority: .normal)) }
        line.setPriority(3, .high)
        #expect(line.next() == 3)
        line.leave(3)
        #expect(line.next() == 1)
    }
}

@Suite struct DownloadPhaseTests {
    private enum Event: CaseIterable { case pause, resume, cancel, start, stopped, done }

    /// Whatever people press: a download that was told to stop is told once, and what has ended stays so.
    @Test(arguments: 1...500)
    func anyOrderOfCommandsMakesSense(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (phase, maximumWaiting, stops, ends) = (DownloadPhase.waiting, true, 0, 0)
        for _ in 0..<30 {
            let isRunning = if case .stopping = phase { true } else { phase == .running }
            let event = Event.allCases.randomElement(using: &random) ?? .pause
            let action: DownloadPhase.Action
            switch event {
            case .pause: action = phase.pause()
            case .resume: action = phase.resume()
            case .cancel: action = phase.cancel()
            case .start:
                guard maximumWaiting else { continue }
                (maximumWaiting, stops) = (false, 0)
                phase.start()
                continue
            case .stopped, .done:
                guard isRunning, event == .done || stops > 0 else { continue }
                action = phase.stopped(event == .stopped)
            }
            switch action {
            case .join: maximumWaiting = true
            case .leave: maximumWaiting = false
            case .stop: stops += 1
            case .end:
                maximumWaiting = false
                ends += 1
            case .nothing: break
            }
            #expect(stops <= 1 && ends <= 1 && (ends == 1) == (phase == .ended))
            #expect(maximumWaiting == (phase == .waiting), "\(phase)")
        }
    }
}
