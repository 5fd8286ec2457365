import FeedFiles
import HTTPTypes
import Testing

typealias HeaderLine = (HTTPField.Name, String)

func headerFields(_ lines: [HeaderLine]) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in lines { fields.append(HTTPField(name: name, value: value)) }
    return fields
}

/// Dates around the last change of the file that the tables ask for.
enum When {
    static let modified: Int64 = 1_704_067_200
    static let equal = "Mon, 01 Jan 2024 00:00:00 GMT"
    static let older = "Sun, 31 Dec 2023 23:59:59 GMT"
    static let newer = "Mon, 01 Jan 2024 00:00:01 GMT"
    static let future = "Fri, 01 Jan 2094 00:00:00 GMT"
    static let rfc850 = "Monday, 01-Jan-24 00:00:00 GMT"
    static let asctime = "Mon Jan  1 00:00:00 2024"
    static let wrongWeekday = "Tue, 01 Jan 2024 00:00:00 GMT"
}

extension Representation {
    static let sample = Representation(tag: EntityTag("E"), modified: When.modified, size: 1000)
}

/// A conditional request and what it comes to. Row C59 (a precondition on something that is not there) never gets here.
struct ConditionRow: CustomTestStringConvertible, Sendable {
    let id: String
    var method = HTTPRequest.Method.get
    let headers: [HeaderLine]
    var size: Int64 = 1000
    let expected: RangeDecision

    var testDescription: String { id }

    init(_ id: String, _ headers: [HeaderLine], _ expected: RangeDecision) {
        self.id = id
        self.headers = headers
        self.expected = expected
    }

    func head() -> ConditionRow {
        var row = self
        row.method = .head
        return row
    }

    func empty() -> ConditionRow {
        var row = self
        row.size = 0
        return row
    }
}

extension ConditionRow {
    static let all: [ConditionRow] = [matching, dates, writingDates, ifRange, combined, ranges].flatMap(\.self)

    static let firstTen = RangeDecision.parts([ByteRange(0, 9)])

    static let matching: [ConditionRow] = [
        ConditionRow("C01 match", [(.ifNoneMatch, "\"E\"")], .notModified),
        ConditionRow("C02 weak", [(.ifNoneMatch, "W/\"E\"")], .notModified),
        ConditionRow("C03 any", [(.ifNoneMatch, "*")], .notModified),
        ConditionRow("C04 other", [(.ifNoneMatch, "\"X\"")], .whole),
        ConditionRow("C05 list", [(.ifNoneMatch, "\"a,b\", W/\"c\",\"E\"")], .notModified),
        ConditionRow("C05b comma is data", [(.ifNoneMatch, "\"X,E\"")], .whole),
        ConditionRow("C06 two lines", [(.ifNoneMatch, "\"X\""), (.ifNoneMatch, "\"E\"")], .notModified),
        ConditionRow("C07 unquoted", [(.ifNoneMatch, "E")], .whole),
        ConditionRow("C08 malformed, match", [(.ifNoneMatch, "abc, \"E\"")], .notModified),
        ConditionRow("C08b malformed weak, match", [(.ifNoneMatch, "W/abc, W/\"E\"")], .notModified),
        ConditionRow("C08c lower-case w", [(.ifNoneMatch, "w/\"E\"")], .whole),
        ConditionRow("C09 empty", [(.ifNoneMatch, "")], .whole),
        ConditionRow("C23 If-Match", [(.ifMatch, "\"E\"")], .whole),
        ConditionRow("C24 weak", [(.ifMatch, "W/\"E\"")], .preconditionFailed),
        ConditionRow("C25 any", [(.ifMatch, "*")], .whole),
        ConditionRow("C26 other", [(.ifMatch, "\"X\"")], .preconditionFailed),
        ConditionRow("C27 list", [(.ifMatch, "\"X\", \"E\"")], .whole),
        ConditionRow("C56 HEAD", [(.ifNoneMatch, "\"E\"")], .notModified).head(),
        ConditionRow("C57 HEAD", [(.ifMatch, "\"X\"")], .preconditionFailed).head(),
    ]

    static let dates: [ConditionRow] = [
        ConditionRow("C10 equal", [(.ifModifiedSince, When.equal)], .notModified),
        ConditionRow("C11 older", [(.ifModifiedSince, When.older)], .whole),
        ConditionRow("C12 newer", [(.ifModifiedSince, When.newer)], .notModified),
        ConditionRow("C13 future", [(.ifModifiedSince, When.future)], .notModified),
        ConditionRow("C14 rfc850", [(.ifModifiedSince, When.rfc850)], .notModified),
        ConditionRow("C15 asctime", [(.ifModifiedSince, When.asctime)], .notModified),
        ConditionRow("C16 garbage", [(.ifModifiedSince, "garbage")], .whole),
        ConditionRow("C17 wrong weekday", [(.ifModifiedSince, When.wrongWeekday)], .notModified),
        ConditionRow("C18 zone", [(.ifModifiedSince, "Mon, 01 Jan 2024 00:00:00 +0000")], .whole),
        ConditionRow("C19 number", [(.ifModifiedSince, "1704067200")], .whole),
        ConditionRow("C20 length", [(.ifModifiedSince, When.equal + "; length=1000")], .whole),
        ConditionRow("C20b length", [(.ifModifiedSince, When.equal + ";length=1000")], .whole),
        ConditionRow("C58 HEAD", [(.ifModifiedSince, When.equal)], .notModified).head(),
    ]

    static let writingDates: [ConditionRow] = [
        ConditionRow("C28 equal", [(.ifUnmodifiedSince, When.equal)], .whole),
        ConditionRow("C29 older", [(.ifUnmodifiedSince, When.older)], .preconditionFailed),
        ConditionRow("C30 newer", [(.ifUnmodifiedSince, When.newer)], .whole),
        ConditionRow("C31 garbage", [(.ifUnmodifiedSince, "garbage")], .whole),
    ]

    static let ifRange: [ConditionRow] = [
        ranged("C36 match", "\"E\"", firstTen),
        ranged("C37 weak", "W/\"E\"", .whole),
        ranged("C38 other", "\"X\"", .whole),
        ranged("C39 equal", When.equal, firstTen),
        ranged("C40 newer", When.newer, .whole),
        ranged("C41 older", When.older, .whole),
        ranged("C42 any", "*", .whole),
        ranged("C43 list", "\"E\", \"X\"", .whole),
        ranged("C43b twice", "\"E\", \"E\"", .whole),
        ConditionRow("C44 no Range", [(.ifRange, "\"E\"")], .whole),
        ranged("C45 rfc850", When.rfc850, firstTen),
        ranged("C46 other", "\"X\"", .whole, range: "bytes=1000-"),
        ranged("C47 match", "\"E\"", .unsatisfiable, range: "bytes=1000-"),
        ranged("C48 match", "\"E\"", .whole, range: "bytes=5-2"),
        ranged("C42b empty", "", .whole),
    ]

    static func ranged(
        _ id: String, _ validator: String, _ expected: RangeDecision, range: String = "bytes=0-9"
    ) -> ConditionRow {
        ConditionRow(id, [(.range, range), (.ifRange, validator)], expected)
    }

    static let combined: [ConditionRow] = [
        ConditionRow("C21", [(.ifNoneMatch, "\"X\""), (.ifModifiedSince, When.equal)], .whole),
        ConditionRow("C22", [(.ifNoneMatch, "\"E\""), (.ifModifiedSince, When.older)], .notModified),
        ConditionRow("C32", [(.ifMatch, "\"E\""), (.ifUnmodifiedSince, When.older)], .whole),
        ConditionRow("C33", [(.ifMatch, "\"X\""), (.ifNoneMatch, "\"E\"")], .preconditionFailed),
        ConditionRow("C34", [(.ifMatch, "\"E\""), (.ifNoneMatch, "\"E\"")], .notModified),
        ConditionRow("C35", [(.ifUnmodifiedSince, When.older), (.ifNoneMatch, "\"E\"")], .preconditionFailed),
        ConditionRow("C49", [(.ifNoneMatch, "\"E\""), (.range, "bytes=0-9")], .notModified),
        ConditionRow("C50", [(.ifNoneMatch, "\"E\""), (.range, "bytes=1000-")], .notModified),
        ConditionRow("C51", [(.ifMatch, "\"X\""), (.range, "bytes=0-9")], .preconditionFailed),
        ConditionRow("C52", [(.ifMatch, "\"X\""), (.range, "bytes=1000-")], .preconditionFailed),
        ConditionRow("C53", [(.ifNoneMatch, "\"X\""), (.range, "bytes=1000-")], .unsatisfiable),
        ConditionRow("C54", [(.ifMatch, "\"E\""), (.range, "bytes=0-9")], firstTen),
        ConditionRow("C55", [(.ifUnmodifiedSince, When.older), (.range, "bytes=0-9")], .preconditionFailed),
    ]

    static let ranges: [ConditionRow] = [
        ConditionRow("R01", [(.range, "bytes=0-8")], .parts([ByteRange(0, 8)])),
        ConditionRow("R68 two lines", [(.range, "bytes=0-9"), (.range, "bytes=20-29")], .whole),
        ConditionRow("R69 HEAD", [(.range, "bytes=0-9")], .whole).head(),
        ConditionRow("R70 HEAD", [(.range, "bytes=1000-")], .whole).head(),
        ConditionRow("R71 HEAD", [], .whole).head(),
        ConditionRow("R74 empty", [(.range, "bytes=0-")], .whole).empty(),
        ConditionRow("R75 empty", [(.range, "bytes=-5")], .whole).empty(),
        ConditionRow("R76 empty", [(.range, "bytes=0-0")], .whole).empty(),
    ]
}

/// A precondition on a change. `present` is `nil` where nothing is there yet.
struct WriteRow: CustomTestStringConvertible, Sendable {
    let id: String
    let method: HTTPRequest.Method
    let headers: [HeaderLine]
    let present: Representation?
    let allowed: Bool

    var testDescription: String { id }

    init(
        _ id: String, _ method: HTTPRequest.Method, _ headers: [HeaderLine], over present: Representation?,
        _ allowed: Bool
    ) {
        self.id = id
        self.method = method
        self.headers = headers
        self.present = present
        self.allowed = allowed
    }

    static let all: [WriteRow] = [
        WriteRow("W01 absent", .put, [], over: nil, true),
        WriteRow("W01 present", .put, [], over: .sample, true),
        WriteRow("W02 absent", .put, [(.ifNoneMatch, "*")], over: nil, true),
        WriteRow("W02 present", .put, [(.ifNoneMatch, "*")], over: .sample, false),
        WriteRow("W03 matches", .put, [(.ifMatch, "\"E\"")], over: .sample, true),
        WriteRow("W03 differs", .put, [(.ifMatch, "\"X\"")], over: .sample, false),
        WriteRow("W03 absent", .put, [(.ifMatch, "\"E\"")], over: nil, false),
        WriteRow("W04 absent", .put, [(.ifMatch, "*")], over: nil, false),
        WriteRow("W05 weak", .put, [(.ifMatch, "W/\"E\"")], over: .sample, false),
        WriteRow("W06 matches", .delete, [(.ifNoneMatch, "\"E\"")], over: .sample, false),
        WriteRow("W06 differs", .delete, [(.ifNoneMatch, "\"X\"")], over: .sample, true),
        WriteRow("W07 present", .put, [(.ifModifiedSince, When.future)], over: .sample, true),
        WriteRow("W07 absent", .put, [(.ifModifiedSince, When.future)], over: nil, true),
        WriteRow("W08 older", .delete, [(.ifUnmodifiedSince, When.older)], over: .sample, false),
        WriteRow("W08 equal", .delete, [(.ifUnmodifiedSince, When.equal)], over: .sample, true),
    ]
}

@Suite(.timeLimit(.minutes(15)))
struct ConditionTests {
    @Test(arguments: ConditionRow.all)
    func table(row: ConditionRow) {
        var representation = Representation.sample
        representation.size = row.size
        let conditions = Conditions(method: row.method, headers: headerFields(row.headers))
        #expect(conditions.decide(representation, now: When.modified + 3600) == row.expected)
    }

    @Test(arguments: WriteRow.all)
    func writes(row: WriteRow) {
        let conditions = Conditions(method: row.method, headers: headerFields(row.headers))
        #expect(conditions.allowWrite(over: row.present) == row.allowed)
    }

    /// A file may change twice within one second, so its date says nothing before that second is over (§8.8.2.2).
    @Test func freshDatesAreWeak() {
        let fields = headerFields([(.range, "bytes=0-9"), (.ifRange, When.equal)])
        let conditions = Conditions(method: .get, headers: fields)
        #expect(conditions.decide(.sample, now: When.modified) == .whole)
        #expect(conditions.decide(.sample, now: When.modified + 1) == ConditionRow.firstTen)
    }

    @Test func datesNeedSomethingToCompare() {
        let undated = Representation(tag: EntityTag("E"), modified: nil, size: 1000)
        let since = Conditions(method: .get, headers: headerFields([(.ifModifiedSince, When.future)]))
        #expect(since.decide(undated, now: When.modified) == .whole)
        let until = Conditions(method: .get, headers: headerFields([(.ifUnmodifiedSince, When.older)]))
        #expect(until.decide(undated, now: When.modified) == .whole)
    }

    @Test func knowsWhetherAnythingIsAsked() {
        let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifUnmodifiedSince]
        for name in names {
            #expect(Conditions(method: .put, headers: headerFields([(name, "x")])).isConditional)
        }
        #expect(!Conditions(method: .put, headers: headerFields([(.range, "x")])).isConditional)
    }
}
