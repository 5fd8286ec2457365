import FeedFiles
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@Suite(.hangLimit)
struct PreconditionMutationTests {
    static let values: [String] = [
        "bytes=0-9", "bytes=0-9,20-29, -5", "bytes=-10", "bytes=990-", "bytes=0-9223372036854775807,5-",
        "{E}", "W/{E}", "\"X\", \"a,b\", W/{E}", "*", "{equal}", "{rfc850}", "{asctime}",
    ].map(Validators.sample.fill)

    static let fragments: [String] = [
        "-", ",", "=", "bytes=", "0-", "-0", "18446744073709551616", "\"", "W/", "*", " ", "\t", ", ", "GMT",
        "\u{301}", "\u{661}", ":", "99",
    ]

    static let sizes: [Int64] = [0, 1, 2, 10, 1000, .max]

    static let names: [HTTPField.Name] = [
        .range, .ifRange, .ifNoneMatch, .ifMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    @Test(arguments: MultipartMutationTests.seeds)
    func mutatedRangesStayWithinTheFile(seed: UInt64) {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        for _ in 0..<MultipartMutationTests.perSeed {
            let size = mutator.one(of: Self.sizes)
            let fields = Self.fields(&mutator)
            var representation = RepresentationMetadata.sample
            representation.size = size
            let conditions = Preconditions(method: .get, headers: fields)
            _ = conditions.allowWrite(over: representation)
            guard case .parts(let parts) = conditions.decide(representation, now: .max) else { continue }
            #expect(Self.lie(parts, inside: size), "\(fields) \(parts)")
        }
    }

    /// A valid Range and one or two mutated headers, possibly Range itself.
    private static func fields(_ mutator: inout Mutator) -> HTTPFields {
        var fields: HTTPFields = [.range: "bytes=0-9,20-29"]
        for _ in 0..<Int.random(in: 1...2, using: &mutator.random) {
            let name = mutator.one(of: names)
            let value = mutator.one(of: values)
            fields[name] = String(decoding: mutator.mutated(Array(value.utf8)), as: UTF8.self)
        }
        return fields
    }

    private static func lie(_ parts: [ByteRange], inside size: Int64) -> Bool {
        let areInside = parts.allSatisfy { $0.first >= 0 && $0.first <= $0.last && $0.last < size }
        return areInside && !parts.isEmpty && parts.count <= ByteRanges.maximumCount
    }
}
