import NIOHTTP1

/// What an answer to a request for some bytes means. Pure: the body is looked at by nobody yet.
enum RangeAnswer: Equatable {
    /// These bytes of the file come; perhaps from earlier on than was asked, perhaps fewer.
    case part(Representation, Range<Int64>)
    /// The whole file comes from its start; the server may give parts of it nevertheless.
    case whole(Representation, takesRanges: Bool)
    /// The file is another one now: what was fetched is worthless.
    case changed
    /// The same file comes whole although its tag was given: this server does not understand `If-Range`.
    case conditionIgnored
    /// There is no such part; the file is empty, or ranges are not for this server.
    case unsatisfiable
    /// The server answers something else than was asked.
    case refused(String)

    /// - Parameters:
    ///   - known: What the file is; `nil` on the first request.
    ///   - url: Where the answer comes from, after redirects.
    static func judge(
        _ ask: Ask, known: Representation?, status: Int, headers: HTTPHeaders, url: String
    ) -> RangeAnswer {
        if let words = complaint(headers) { return .refused(words) }
        switch status {
        case 206: return part(ask, known, headers, url)
        case 200: return whole(ask, known, headers, url)
        case 416: return unsatisfiable(ask, known, headers)
        default: return .refused("The server answered \(status)")
        }
    }

    /// What makes a body useless whatever else the answer says.
    private static func complaint(_ headers: HTTPHeaders) -> String? {
        let coding = headers[canonicalForm: "Content-Encoding"].first { $0.lowercased() != "identity" && !$0.isEmpty }
        if coding != nil { return "The server sends the file compressed although that was ruled out" }
        // What is coded so would have to be decoded first (RFC 9112 §7); nobody asked for it (RFC 9110 §10.1.4).
        guard headers[canonicalForm: "Transfer-Encoding"].allSatisfy({ $0.lowercased() == "chunked" }) else {
            return "The server sends the file in a transfer coding that was not asked for"
        }
        if headers["Content-Range"].count > 1 || Set(headers["Content-Length"]).count > 1 {
            return "The server contradicts itself about what it sends"
        }
        return nil
    }

    private static func part(
        _ ask: Ask, _ known: Representation?, _ headers: HTTPHeaders, _ url: String
    ) -> RangeAnswer {
        guard let asked = ask.span else { return .refused("The server sends a part although the whole was asked for") }
        let type = headers.first(name: "Content-Type")?.lowercased() ?? ""
        guard !type.hasPrefix("multipart/byteranges") else {
            return .refused("The server sends several parts although one was asked for")
        }
        guard let range = ContentRange(headers.first(name: "Content-Range") ?? "") else {
            return .refused("The server sends a part without saying which")
        }
        let file = representation(headers, url, total: range.total)
        if let known, !known.isSame(as: file) { return .changed }
        guard range.span.lowerBound <= asked.lowerBound, range.span.upperBound > asked.lowerBound else {
            return .refused("The server sends another part than was asked for")
        }
        guard length(headers).map({ $0 == Int64(range.span.count) }) ?? true else {
            return .refused("The server contradicts itself about how much it sends")
        }
        return .part(file, range.span)
    }

    private static func whole(
        _ ask: Ask, _ known: Representation?, _ headers: HTTPHeaders, _ url: String
    ) -> RangeAnswer {
        guard !headers.contains(name: "Content-Range") else {
            return .refused("The server calls a part of the file the whole")
        }
        let file = representation(headers, url, total: length(headers))
        if let known {
            guard known.isSame(as: file) else { return .changed }
            return ask.isConditional ? .conditionIgnored : .whole(file, takesRanges: false)
        }
        guard file.total != nil || isChunked(headers) || ask.mayEndAnywhere || file.digest != nil else {
            return .refused("The server does not say how long the file is, so nobody could tell whether it is whole")
        }
        return .whole(
            file, takesRanges: headers[canonicalForm: "Accept-Ranges"].contains { $0.lowercased() == "bytes" })
    }

    private static func unsatisfiable(
        _ ask: Ask, _ known: Representation?, _ headers: HTTPHeaders
    ) -> RangeAnswer {
        guard let known else {
            return ask.span == nil ? .refused("The server refuses to send the file") : .unsatisfiable
        }
        let total = ContentRange.unsatisfied(headers.first(name: "Content-Range") ?? "")
        guard let total, total == known.total else { return .changed }
        return .refused("The server refuses a part that it has")
    }

    private static func representation(_ headers: HTTPHeaders, _ url: String, total: Int64?) -> Representation {
        Representation(url: url, tag: strongTag(headers), total: total, digest: ReprDigest.sha256(headers))
    }

    private static func length(_ headers: HTTPHeaders) -> Int64? {
        headers.first(name: "Content-Length").flatMap(ContentRange.number)
    }

    private static func isChunked(_ headers: HTTPHeaders) -> Bool {
        headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked"
    }

    /// The ETag, when it is a strong one and the only one (RFC 9110 §8.8.3).
    static func strongTag(_ headers: HTTPHeaders) -> String? {
        let tags = headers["ETag"]
        guard tags.count == 1, let tag = tags.first, tag.utf8.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            !tag.dropFirst().dropLast().contains("\"")
        else { return nil }
        return tag
    }
}
