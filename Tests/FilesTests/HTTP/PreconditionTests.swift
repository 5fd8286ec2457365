import FeedFiles
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Parses lines such as `Range: bytes=0-9`.
func headerFields(_ lines: [String]) throws -> HTTPFields {
    var fields = HTTPFields()
    for line in lines {
        let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = try #require(HTTPField.Name(String(pair[0])), "\(line)")
        fields.append(HTTPField(name: name, value: String(pair[1].drop { $0 == " " })))
    }
    return fields
}

extension RepresentationMetadata {
    /// The file with the validators of ``Validators/sample``.
    static let sample = RepresentationMetadata(tag: EntityTag("E"), modified: 1_704_067_200, size: 1000)
}

extension Validators {
    static let sample = Validators(tag: "\"E\"", modified: Date(timeIntervalSince1970: 1_704_067_200))
}

extension RangeDecision {
    init(_ expected: ConditionRow.Expected) {
        switch expected {
        case .whole: self = .whole
        case .firstTen: self = .parts([ByteRange(0, 9)])
        case .notModified: self = .notModified
        case .preconditionFailed: self = .preconditionFailed
        case .unsatisfiable: self = .unsatisfiable
        }
    }
}

@Suite(.hangLimit)
struct PreconditionTests {
    /// The decision for a file that has not changed for an hour.
    private func decide(
        _ method: HTTPRequest.Method, _ lines: [String], size: Int64 = 1000, age: Int64 = 3600
    ) throws -> RangeDecision {
        var representation = RepresentationMetadata.sample
        representation.size = size
        let conditions = Preconditions(method: method, headers: try headerFields(lines.map(Validators.sample.fill)))
        return conditions.decide(representation, now: Int64(Validators.sample.second) + age)
    }

    @Test(arguments: ConditionRow.all)
    func preconditionsAreEvaluated(row: ConditionRow) throws {
        let method = try #require(HTTPRequest.Method(rawValue: row.method))
        #expect(try decide(method, row.headers) == RangeDecision(row.expected))
    }

    @Test func singleRangeSelectsOnePart() throws {
        #expect(try decide(.get, ["Range: bytes=0-8"]) == .parts([ByteRange(0, 8)]))
    }

    /// R68.
    @Test func twoRangeFieldsAreIgnored() throws {
        #expect(try decide(.get, ["Range: bytes=0-9", "Range: bytes=20-29"]) == .whole)
    }

    /// R69–R71.
    @Test(arguments: [["Range: bytes=0-9"], ["Range: bytes=1000-"], []])
    func headIgnoresRange(lines: [String]) throws {
        #expect(try decide(.head, lines) == .whole)
    }

    /// R74–R76.
    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0"])
    func rangesOfAnEmptyFileAreIgnored(value: String) throws {
        #expect(try decide(.get, ["Range: " + value], size: 0) == .whole)
    }

    @Test(arguments: WriteRow.all)
    func writesRespectPreconditions(row: WriteRow) throws {
        let method = try #require(HTTPRequest.Method(rawValue: row.method))
        let headers = try headerFields(row.headers.map(Validators.sample.fill))
        let conditions = Preconditions(method: method, headers: headers)
        #expect(conditions.allowWrite(over: row.exists ? .sample : nil) == (row.status != 412))
    }

    /// A file may change twice within a second, so its date is weak before that second is over (§8.8.2.2).
    @Test func recentDatesAreWeak() throws {
        let lines = ["Range: bytes=0-9", "If-Range: {equal}"]
        #expect(try decide(.get, lines, age: 0) == .whole)
        #expect(try decide(.get, lines, age: 1) == RangeDecision(.firstTen))
    }

    @Test(arguments: ["If-Modified-Since: {newer}", "If-Unmodified-Since: {older}"])
    func datesAreIgnoredWithoutAModificationDate(line: String) throws {
        let undated = RepresentationMetadata(tag: EntityTag("E"), modified: nil, size: 1000)
        let conditions = Preconditions(method: .get, headers: try headerFields([Validators.sample.fill(line)]))
        #expect(conditions.decide(undated, now: Int64(Validators.sample.second)) == .whole)
    }

    /// A mark forms one character with the quote before it.
    @Test func markInATagDoesNotHideTheNextTag() throws {
        #expect(EntityTagList(parsing: "\"\u{301}\", \"E\"") == .tags([EntityTag("\u{301}"), EntityTag("E")]))
        #expect(try decide(.get, ["If-None-Match: \"\u{301}\", \"E\""]) == .notModified)
        #expect(try decide(.get, ["If-Match: \"x\u{600}\", \"E\""]) == .whole)
    }

    @Test func conditionalRequestsAreRecognized() throws {
        for name in ["If-Match", "If-None-Match", "If-Unmodified-Since"] {
            #expect(Preconditions(method: .put, headers: try headerFields([name + ": x"])).isConditional)
        }
        #expect(!Preconditions(method: .put, headers: try headerFields(["Range: x"])).isConditional)
    }
}
