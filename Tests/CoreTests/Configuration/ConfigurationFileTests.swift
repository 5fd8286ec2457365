import FeedCore
import Testing

@Suite struct ConfigurationFileTests {
    static let keys = [
        SettingKey("config", isInFile: false), SettingKey("base-url"),
        SettingKey("port", .integer(0...65_535), default: "8080", reloads: false), SettingKey("demo", .flag),
        SettingKey("log-format", .choice(["text", "json"]), default: "text"), SettingKey("max-file-size", .size(size)),
        SettingKey("trusted-proxy", .list(SettingKey.notEmpty), reloads: true),
        SettingKey("rate-limit", .integer(1...Int.max), default: "300", reloads: true), SettingKey("database"),
    ]

    private static let size: SettingKey.Check = { text throws(FeedError) in
        guard text.hasSuffix("MiB") else { throw .malformed("must be a size", hint: "Write 512MiB.") }
    }

    static func parse(_ text: String) throws(FeedError) -> ConfigurationFile {
        try ConfigurationFile(Array(text.utf8), path: "feed.json", keys: keys)
    }

    @Test(
        arguments: [
            ("{}", [:]), (" \r\n\t{ } \n", [:]),
            (#"{"baseUrl":"http://a"}"#, ["base-url": "http://a"]),
            (#"{"port":0,"demo":true}"#, ["port": "0", "demo": "true"]),
            (#"{"demo":false}"#, ["demo": "false"]),
            (#"{"logFormat":"json"}"#, ["log-format": "json"]),
            (#"{"maxFileSize":1048576}"#, ["max-file-size": "1048576"]),
            (#"{"maxFileSize":"512MiB"}"#, ["max-file-size": "512MiB"]),
            (#"{"trustedProxy":"unix"}"#, ["trusted-proxy": "unix"]),
            (#"{"trustedProxy":["unix","10.0.0.0/8"]}"#, ["trusted-proxy": "unix,10.0.0.0/8"]),
            (#"{"trustedProxy":[]}"#, ["trusted-proxy": ""]),
            (#"{"rateLimit":9223372036854775807}"#, ["rate-limit": "9223372036854775807"]),
            (#"{"baseUrl":"\u0041\ud83d\ude00\"\\\/\n"}"#, ["base-url": "A😀\"\\/\n"]),
        ] as [(String, [String: String])])
    func valuesAreReadByTheirType(text: String, options: [String: String]) throws {
        #expect(try Self.parse(text).options == options)
    }

    @Test func siteAndLimitsAreRead() throws {
        let file = try Self.parse(
            #"""
            {
              "title": "Hafen", "description": "Two\nlines",
              "contact": {"account": "ada", "email": "ada@feed.example"},
              "rules": ["Be kind.", "No spam."], "languages": ["de", "pt-BR", "zh-Hant-TW"],
              "limits": {"statusCharacters": 1000, "loginFailures": 5, "accountCreations": 1}
            }
            """#)
        var site = SiteSettings()
        (site.title, site.text, site.contactAccount, site.contactEmail) = (
            "Hafen", "Two\nlines", "ada", "ada@feed.example"
        )
        (site.rules, site.languages) = (["Be kind.", "No spam."], ["de", "pt-BR", "zh-Hant-TW"])
        #expect(file.site == site)
        var limits = Limits()
        file.apply(to: &limits)
        #expect(limits.statusCharacters == 1000 && limits.loginFailures.pair == 5)
        #expect(limits.accountCreations == RateLimit(1, perSeconds: 1800) && limits.requests.count == 300)
    }

    /// The file, the message without its name, and a part of the hint.
    static let faults: [(text: String, message: String, hint: String?)] = [
        ("", "line 1: expected a value, found the end of the file", nil),
        ("[]", "line 1: expected \"{\"", "one JSON object"),
        ("\n\n\"x\"", "line 3: expected \"{\"", nil),
        ("{} {}", "line 1: expected the end of the file, found \"{\"", nil),
        ("{\"port\":1,\n}", "line 2: expected a key in quotes, found \"}\"", nil),
        ("{\n\"port\" 1}", "line 2: expected \":\", found \"1\"", nil),
        ("{\"port\":1\n\"demo\":true}", "line 2: expected \",\" or \"}\", found \"\"\"", nil),
        ("{\"trustedProxy\":[\"a\"", "line 1: expected \",\" or \"]\", found the end of the file", nil),
        ("{'port':1}", "line 1: expected a key in quotes, found \"'\"", nil),
        ("{\"port\":\n  yes}", "line 2: expected a value, found \"y\"", nil),
        ("{\n// port\n}", "line 2: expected a key in quotes, found \"/\"", nil),
        ("{\"baseUrl\":\"a\n\"}", "line 1: expected a closing quote, found the end of the line", nil),
        ("{\"baseUrl\":\"a", "line 1: expected a closing quote, found the end of the file", nil),
        ("{\"baseUrl\":\"a\\", "line 1: expected a closing quote, found the end of the file", nil),
        (#"{"baseUrl":"\x"}"#, "line 1: the text in quotes is not valid JSON", nil),
        (#"{"baseUrl":"\ud800"}"#, "line 1: the text in quotes is not valid JSON", nil),
        ("{\"port\":\u{FEFF}1}", "line 1: expected a value, found the byte 0xef", nil),
        (String(repeating: "[", count: 100_000), "line 1: more than 8 levels of brackets", nil),
        ("{\"port\":1,\n\"port\":2}", "line 2: port: the key is given twice", nil),
        (#"{"limits":{"profileFields":1,"profileFields":1}}"#, "line 1: profileFields: the key is given twice", nil),
        ("{\n\"basURL\":1}", "line 2: basURL: unknown key", "Did you mean baseUrl?"),
        (#"{"base-url":1}"#, "line 1: base-url: unknown key", "Did you mean baseUrl?"),
        (#"{"BASE_URL":1}"#, "line 1: BASE_URL: unknown key", "Did you mean baseUrl?"),
        (#"{"rateLimits":1}"#, "line 1: rateLimits: unknown key", "Did you mean rateLimit?"),
        (#"{"Title":"x"}"#, "line 1: Title: unknown key", "Did you mean title?"),
        (#"{"statusCharacters":1}"#, "line 1: statusCharacters: unknown key", "Did you mean limits.statusCharacters?"),
        (#"{"posts":3}"#, "line 1: posts: unknown key", "Did you mean limits.posts?"),
        (
            #"{"status_characters":1}"#, "line 1: status_characters: unknown key",
            "Did you mean limits.statusCharacters?"
        ),
        (#"{"status":1}"#, "line 1: status: unknown key", "Did you mean limits.statusCharacters?"),
        (#"{"prt":1}"#, "line 1: prt: unknown key", "Did you mean port?"),
        (#"{"limits":{"status":5}}"#, "line 1: limits.status: unknown key", "Did you mean limits.statusCharacters?"),
        (#"{"limits":{"pots":5}}"#, "line 1: limits.pots: unknown key", "Did you mean limits.posts?"),
        (#"{"limits":{"st":5}}"#, "line 1: limits.st: unknown key", "--show-config"),
        (#"{"config":"x"}"#, "line 1: config: unknown key", "--show-config"),
        (#"{"favouriteColour":1}"#, "line 1: favouriteColour: unknown key", "--show-config"),
        (#"{"":1}"#, "line 1: : unknown key", "--show-config"),
        (
            #"{"limits":{"statusCharacter":1}}"#, "line 1: limits.statusCharacter: unknown key",
            "limits.statusCharacters"
        ),
        (#"{"contact":{"phone":"1"}}"#, "line 1: contact.phone: unknown key", "account and email"),
        (#"{"port":"80"}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":65536}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":-1}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":80.0}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":8e1}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":080}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":99999999999999999999}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"port":null}"#, "line 1: port: must be a whole number from 0 to 65535", nil),
        (#"{"rateLimit":0}"#, "line 1: rateLimit: must be a whole number of at least 1", nil),
        (#"{"demo":"true"}"#, "line 1: demo: must be true or false, without quotes", nil),
        (#"{"demo":1}"#, "line 1: demo: must be true or false, without quotes", nil),
        (#"{"baseUrl":true}"#, "line 1: baseUrl: must be a text in quotes", nil),
        (#"{"baseUrl":""}"#, "line 1: baseUrl: must not be empty", nil),
        (#"{"logFormat":"xml"}"#, "line 1: logFormat: must be one of \"text\", \"json\"", nil),
        (#"{"maxFileSize":"big"}"#, "line 1: maxFileSize: must be a size", "Write 512MiB."),
        (#"{"maxFileSize":0}"#, "line 1: maxFileSize: must be a whole number of at least 1", nil),
        (#"{"maxFileSize":true}"#, "line 1: maxFileSize: must be a size such as \"512MiB\", or a number of bytes", nil),
        ("{\"trustedProxy\":[\"a\",\n1]}", "line 2: trustedProxy: must be a text in quotes", nil),
        (#"{"title":"  "}"#, "line 1: title: must be one line of 1 to 100 characters", nil),
        (#"{"title":"a\nb"}"#, "line 1: title: must be one line of 1 to 100 characters", nil),
        (#"{"title":["a"]}"#, "line 1: title: must be a text in quotes", nil),
        (#"{"description":"\u0000"}"#, "line 1: description: must be at most 5000 bytes long, without control", nil),
        (#"{"contact":"ada"}"#, "line 1: contact: must be an object in braces", nil),
        (#"{"contact":{"account":"@ada"}}"#, "line 1: contact.account: must be a username without @", nil),
        (#"{"contact":{"email":"ada"}}"#, "line 1: contact.email: must be an email address", nil),
        (#"{"contact":{"email":"ada@x?cc=bob"}}"#, "line 1: contact.email: must be an email address", nil),
        (#"{"rules":"Be kind."}"#, "line 1: rules: must be a list of texts in brackets", nil),
        (#"{"rules":["a",2]}"#, "line 1: rules: must be a text in quotes", nil),
        (#"{"languages":["e"]}"#, "line 1: languages: must be language codes", nil),
        (#"{"languages":["en_US"]}"#, "line 1: languages: must be language codes", nil),
        (#"{"limits":[]}"#, "line 1: limits: must be an object in braces", nil),
        (
            #"{"limits":{"statusCharacters":5001}}"#,
            "line 1: limits.statusCharacters: must be a whole number from 1 to 5000", nil
        ),
    ]

    @Test(arguments: faults)
    func faultNamesFileLineAndKey(text: String, message: String, hint: String?) throws {
        do {
            _ = try Self.parse(text)
            Issue.record("accepted: \(text.prefix(200))")
        } catch {
            #expect(error.kind == .malformed && error.message.hasPrefix("feed.json: " + message), "\(error)")
            if let hint { #expect(error.hint?.contains(hint) == true, "\(error)") }
        }
    }

    /// Whatever the file contains, it is read or refused.
    @Test func cutFilesAreRefused() throws {
        let whole = #"{"port":80,"trustedProxy":["a","b"],"title":"\u00e4ä","limits":{"profileFields":4},"demo":true}"#
        _ = try Self.parse(whole)
        for count in 0..<whole.utf8.count {
            #expect(throws: FeedError.self) {
                try ConfigurationFile(Array(whole.utf8.prefix(count)), path: "feed.json", keys: Self.keys)
            }
        }
    }

    @Test func everyLimitAcceptsItsBoundsOnly() throws {
        for key in LimitKey.all {
            for value in [key.range.lowerBound, key.range.upperBound] {
                _ = try Self.parse(#"{"limits":{"\#(key.name)":\#(value)}}"#)
            }
            for value in [key.range.lowerBound - 1, key.range.upperBound + 1] {
                #expect(throws: FeedError.self, "\(key.name)") {
                    try Self.parse(#"{"limits":{"\#(key.name)":\#(value)}}"#)
                }
            }
        }
    }
}
