import FeedCore
import Foundation
import HTTPTypes

/// The language and the time zone in which a page is shown.
struct PageLocale: Sendable {
    /// That of feeds, which everyone reads.
    static let standard = PageLocale(text: EnglishText(), zone: .utc)

    let text: any PageText
    let zone: PageTimeZone

    /// The date and time, for example `1 Dec 2023, 06:39 UTC`.
    func date(_ time: Int64) -> String { PageDate.full(time, in: zone, text) }
}

/// The time zone in which pages show and read times. Offsets are milliseconds.
struct PageTimeZone: Sendable {
    static let utc = PageTimeZone(zone: nil)

    private let zone: TimeZone?

    private init(zone: TimeZone?) { self.zone = zone }

    /// - Parameter account: `nil` for visitors, to whom UTC is shown.
    init(of account: Account?) { zone = account?.timeZone.flatMap(TimeZone.init(identifier:)) }

    var name: String { zone?.identifier ?? "UTC" }

    func offset(at time: Int64) -> Int64 {
        guard let zone else { return 0 }
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1000))) * 1000
    }

    /// - Parameter local: A local time as if it were in UTC. The offset is that of this time, not of now: summer time may
    ///   begin or end in between.
    func offset(atLocal local: Int64) -> Int64 { offset(at: local - offset(at: local)) }

    /// The names from which members choose.
    static let names = TimeZone.knownTimeZoneIdentifiers.filter { $0.utf8.contains(UInt8(ascii: "/")) }
}

extension PageAssets {
    /// The language of a page: what the member has chosen, what the browser accepts, or that of the site.
    func language(for request: Request, _ context: RequestContext) -> PageLanguage {
        if let language = context.reader?.language { return language }
        if let accepted = request.headers[.acceptLanguage], let language = PageLanguage(accepted: accepted) {
            return language
        }
        return siteLanguage
    }

    /// The language and the time zone of a page.
    func locale(for request: Request, _ context: RequestContext) -> PageLocale {
        PageLocale(text: language(for: request, context).text, zone: PageTimeZone(of: context.reader))
    }
}
