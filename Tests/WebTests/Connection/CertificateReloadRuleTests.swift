import FeedTestSupport
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct CertificateReloadRuleTests {
    /// The stamps that are observed one after the other, and whether the files are loaded then.
    @Test(arguments: [
        ([1, 1, 1], [false, false, false]),
        // A change is loaded once it has lasted for one observation.
        ([2, 2, 2, 2], [false, true, false, false]),
        // The certificate has been replaced, then the key.
        ([2, 3, 3], [false, false, true]), ([2, 3, 4, 5], [false, false, false, false]),
        ([2, 1, 2, 2], [false, false, false, true]), ([2, 2, 3, 3], [false, true, false, true]),
        // Back to the files of the latest attempt but one.
        ([2, 2, 1, 1], [false, true, false, true]),
    ])
    func changesAreLoadedOnce(stamps: [Int], loads: [Bool]) {
        var reload = CertificateReloadRule(loaded: 1)
        #expect(stamps.map { reload.observe($0) } == loads)
    }

    @Test func anotherAttemptCounts() {
        var reload = CertificateReloadRule(loaded: 1)
        let first = reload.observe(2)
        reload.attempted(2)
        let second = reload.observe(2)
        #expect(!first && !second)
    }

    @Test func unreadableFilesAreTriedAgain() {
        var reload = CertificateReloadRule(loaded: 1)
        let first = [2, 2, 2].map { reload.observe($0) }
        reload.couldNotRead()
        let second = [2, 2, 2].map { reload.observe($0) }
        #expect(first == [false, true, false] && second == first)
    }
}
