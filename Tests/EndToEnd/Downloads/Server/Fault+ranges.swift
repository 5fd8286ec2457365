import Foundation

/// Ranges that differ from the requested ones.
extension Fault {
    /// 200 with the whole file, for every range.
    static let ignoresRange = changingRequest { $0.range = nil }
    static let ignoresIfRange = changingRequest { $0.headers["if-range"] = nil }
    /// 200 in response to each conditional request, although the file is unchanged.
    static let distrustsIfRange = changingRequest { if $0.headers["if-range"] != nil { $0.range = nil } }

    /// A correct part that starts this many bytes before the requested range.
    static func starts(early bytes: Int) -> Fault {
        changingRequest { request in
            let first = request.range?.first ?? 0
            request.range?.first = max(0, first - bytes)
        }
    }

    static func starts(late bytes: Int) -> Fault { changingRequest { $0.range?.first += bytes } }

    /// A correct part of at most this many bytes.
    static func isShort(_ bytes: Int) -> Fault {
        changingRequest { request in
            guard let range = request.range else { return }
            request.range?.last = min(range.last ?? .max, range.first + bytes - 1)
        }
    }

    /// A correct part that extends to the end of the file.
    static let isLong = changingRequest { $0.range?.last = nil }

    /// Replaces the complete length in `Content-Range`.
    static func claims(total: @escaping @Sendable (Int) -> String) -> Fault {
        changingResponse { response, _, file in
            guard let range = response["Content-Range"]?.split(separator: "/").first else { return }
            response["Content-Range"] = range + "/" + total(file.bytes.count)
        }
    }

    /// Replaces the `Content-Range` field; `nil` removes it.
    static func claims(range: String?) -> Fault {
        changingResponse { response, _, _ in if response.status == 206 { response["Content-Range"] = range } }
    }

    /// The right `Content-Range` with bytes from another offset.
    static let sendsOtherPlace = changingResponse { response, request, file in
        guard response.status == 206 else { return }
        let start = max(0, (request.range?.first ?? 0) / 2)
        response.body = file.bytes[start..<start + response.body.count]
    }

    /// `multipart/byteranges` with one part.
    static let multipart = multipart(keepsRange: false)
    /// The same, with the `Content-Range` of a single part in the header.
    static let multipartWithRange = multipart(keepsRange: true)

    private static func multipart(keepsRange: Bool) -> Fault {
        changingResponse { response, _, _ in
            guard response.status == 206, let range = response["Content-Range"] else { return }
            let head = "--B\r\nContent-Type: application/octet-stream\r\nContent-Range: \(range)\r\n\r\n"
            response.body = Data(head.utf8) + response.body + Data("\r\n--B--\r\n".utf8)
            if !keepsRange { response["Content-Range"] = nil }
            response["Content-Type"] = "multipart/byteranges; boundary=B"
        }
    }

    /// A part whose status is 200, although everything else identifies it as a part.
    static let saysWhole = changingResponse { response, _, _ in if response.status == 206 { response.status = 200 } }
}
