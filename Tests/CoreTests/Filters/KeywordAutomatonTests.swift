import Foundation
import TestKit
import Testing

@testable import FeedCore

@Suite(.hangLimit)
struct KeywordAutomatonTests {
    private static func found(_ keywords: [[UInt8]], in texts: [[UInt8]]) -> Set<Int> {
        let automaton = KeywordAutomaton(keywords)
        var isFound = [Bool](repeating: false, count: keywords.count)
        var found: [Int] = []
        for text in texts { automaton.find(in: text, &isFound, &found) }
        #expect(Set(found).count == found.count, "found twice: \(found)")
        return Set(found)
    }

    /// Few different bytes, so that keywords overlap in every way.
    @Test(arguments: 0..<UInt64(Soak.rounds(300, soaking: 100_000)))
    func findsWhatASearchForEachKeywordFinds(round: UInt64) {
        let seed = Soak.seed &+ round
        var random = SplitMix64(seed: seed)
        let letters = UInt8.random(in: 1...4, using: &random)
        func bytes(_ lengths: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: lengths, using: &random)).map { _ in
                [0, 97, 254, 255][Int.random(in: 0..<Int(letters), using: &random)]
            }
        }
        let keywords = Array(Set((0..<Int.random(in: 0...30, using: &random)).map { _ in bytes(1...6) }))
        let texts = (0..<3).map { _ in bytes(0...40) }
        let expected = keywords.indices.filter { keyword in texts.contains { $0.contains(keywords[keyword]) } }
        #expect(Self.found(keywords, in: texts) == Set(expected), "seed \(seed)")
    }

    /// After every byte of the text, all keywords but the longest have been found already.
    @Test func suffixesOfFoundKeywordsAreFound() {
        let keywords = (1...200).map { [UInt8](repeating: 97, count: $0) }
        #expect(Self.found(keywords, in: [[UInt8](repeating: 97, count: 150)]) == Set(0..<150))
        #expect(Self.found(keywords.reversed(), in: [[97], [97, 97]]) == [199, 198])
    }

    @Test func nothingIsFoundWithoutKeywords() {
        #expect(Self.found([], in: [[1, 2, 3]]).isEmpty)
        #expect(Self.found([[1]], in: []).isEmpty && Self.found([[1]], in: [[]]).isEmpty)
    }
}
