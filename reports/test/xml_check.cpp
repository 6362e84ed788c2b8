#include "reports/test/xml_check.h"

#include <cctype>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

namespace dmlcts {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  void document() {
    characters(rest_);
    if (rest_.starts_with("<?xml ")) rest_.remove_prefix(rest_.find("?>") + 2);
    spaces();
    element();
    spaces();
    require(rest_.empty(), "text behind the root element");
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }

  // Strict UTF-8 of characters that XML allows.
  static void characters(std::string_view text) {
    while (!text.empty()) {
      const auto lead = static_cast<uint8_t>(text[0]);
      const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      require((lead < 0x80 || lead >= 0xC2) && lead < 0xF5 && text.size() >= length, "not UTF-8");
      uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
      for (size_t i = 1; i < length; ++i) {
        require((text[i] & 0xC0) == 0x80, "not UTF-8");
        code = code << 6 | (text[i] & 0x3F);
      }
      require(code >= 0x20 || code == '\t' || code == '\n' || code == '\r', "a control character");
      require(!(code >= 0xD800 && code < 0xE000) && code != 0xFFFE && code != 0xFFFF &&
                  code <= 0x10FFFF,
              "a code point outside XML");
      text.remove_prefix(length);
    }
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void spaces() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view name() {
    size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '-')) {
      ++length;
    }
    require(length > 0, "no name");
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }

  void reference() {
    for (std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#10;", "&#9;"}) {
      if (take(known)) return;
    }
    require(false, "a bare & or an unknown reference");
  }

  void attributes() {
    std::set<std::string_view> seen;
    for (spaces(); !rest_.starts_with(">") && !rest_.starts_with("/>"); spaces()) {
      require(seen.insert(name()).second, "an attribute twice");
      require(take("=\""), "an attribute without a quoted value");
      while (!take("\"")) {
        require(!rest_.empty() && rest_[0] != '<', "an attribute value that is not closed");
        if (rest_[0] == '&') {
          reference();
        } else {
          rest_.remove_prefix(1);
        }
      }
    }
  }

  void element() {
    std::vector<std::string_view> open;
    do {
      require(!rest_.empty(), "an element that is not closed");
      require(!rest_.starts_with("]]>"), "a bare ]]>");
      if (take("</")) {
        require(!open.empty() && open.back() == name(), "an end tag of another element");
        require(take(">"), "an end tag that is not closed");
        open.pop_back();
      } else if (take("<")) {
        open.push_back(name());
        attributes();
        if (take("/>")) {
          open.pop_back();
        } else {
          require(take(">"), "a tag that is not closed");
        }
      } else {
        require(!open.empty(), "text outside the root element");
        if (rest_[0] == '&') {
          reference();
        } else {
          rest_.remove_prefix(1);
        }
      }
    } while (!open.empty());
  }

  std::string_view rest_;
};

}  // namespace

std::string xmlError(std::string_view text) {
  try {
    Parser(text).document();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace dmlcts
